import Arguments

/// `completion`: teaches a shell the program's options.
struct Completion: Command {
  static let configuration = CommandConfiguration(
    name: "completion", abstract: "Print a script by which a shell completes command lines",
    discussion: """
      The Debian package installs the scripts where the shells look for them. Without it, put the script there yourself, \
      as in the examples.
      """,
    examples: [
      .init(
        "kiano-gpu completion bash > ~/.local/share/bash-completion/completions/kiano-gpu",
        "For bash, with the package bash-completion; without it, source the script in ~/.bashrc."),
      .init(
        "kiano-gpu completion zsh > ~/.zfunc/_kiano-gpu",
        "For zsh, with 'fpath+=~/.zfunc; autoload -Uz compinit; compinit' in ~/.zshrc."),
      .init("kiano-gpu completion fish > ~/.config/fish/completions/kiano-gpu.fish", "For fish."),
    ])

  @Argument("SHELL", help: "bash, zsh or fish") var shell: Shell

  mutating func run() {
    Console.printText(CommandTree(KianoGPU.self).completionScript(for: shell))
  }
}
