import Foundation
import Imaging

/// The program that shows pictures on this desktop.
enum PictureViewer {
  /// Opens a picture and doesn't wait for the viewer.
  /// - Throws: where there is nothing that could.
  static func open(_ path: BytePath) throws {
    var process = pid_t()
    let status = path.withCString { name in
      let words = "xdg-open"
      return words.withCString { program in
        var arguments: [UnsafeMutablePointer<CChar>?] = [
          UnsafeMutablePointer(mutating: program), UnsafeMutablePointer(mutating: name), nil,
        ]
        return posix_spawnp(&process, program, nil, nil, &arguments, environ)
      }
    }
    guard status == 0 else {
      Console.complain("no viewer could be opened: xdg-open, of the package xdg-utils, can't be run")
      throw ExitCode(value: ExitCode.failed)
    }
    var outcome: Int32 = 0
    waitpid(process, &outcome, 0)
    if outcome != 0 {
      Console.complain("xdg-open couldn't open \(path.displayName)")
      throw ExitCode(value: ExitCode.failed)
    }
  }
}
