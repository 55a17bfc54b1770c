/// A shell that completions can be written for.
public enum Shell: String, CaseIterable, Sendable, ExpressibleByArgument {
  case bash, zsh, fish
}

extension CommandTree {
  /// A script that teaches a shell to complete the program's command lines.
  public func completionScript(for shell: Shell) -> String {
    switch shell {
    case .bash: BashCompletion(tree: self).script
    case .zsh: ZshCompletion(tree: self).script
    case .fish: FishCompletion(tree: self).script
    }
  }
}

extension CommandTree.Node {
  /// The name of a shell function for this command: `kiano_gpu_sort`.
  var functionName: String { path.joined(separator: "_").replacing("-", with: "_") }
}

extension String {
  /// The text as one word of a shell.
  var quotedForShell: String { "'" + replacing("'", with: #"'\''"#) + "'" }
}
