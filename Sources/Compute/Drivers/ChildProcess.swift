import Foundation

/// A process whose output is read to its end, or for some time at the most.
struct ChildProcess {
  private let id: pid_t
  private let output: Int32

  /// How a process ended.
  enum End: Equatable {
    case exited(Int32)
    case signalled(Int32)
    case timedOut
  }

  /// Starts a program whose standard output is kept; nothing else of it is seen.
  /// - Throws: the system's error number.
  init(program: String, arguments: [String], environment: [String: String]) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError(number: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    output = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    // A crash is an outcome, not something to be analysed on the spot.
    var variables = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.map { strdup("\($0.key)=\($0.value)") }
    variables.append(nil)
    defer { (words + variables).forEach { free($0) } }
    var id: pid_t = 0
    let number = posix_spawn(&id, program, &actions, nil, &words, &variables)
    if number != 0 {
      close(ends[0])
      throw SystemError(number: number)
    }
    self.id = id
  }

  /// Reads until the process has ended; one that hasn't at `deadline` is killed.
  func finish(by deadline: ContinuousClock.Instant) -> (output: [UInt8], end: End) {
    defer { close(output) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while true {
      let left = (deadline - .now).components
      let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
      var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      // What is there at the deadline counts: others may have been waited for meanwhile.
      let ready = poll(&descriptor, 1, Int32(clamping: max(0, milliseconds)))
      if ready < 0, errno == EINTR { continue }
      if ready <= 0 {
        kill(id, SIGKILL)
        _ = wait()
        return (bytes, .timedOut)
      }
      let count = read(output, &block, block.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return (bytes, end(by: deadline)) }
      bytes += block[..<count]
    }
  }

  /// The output is closed, but a driver's exit handler may still hang.
  private func end(by deadline: ContinuousClock.Instant) -> End {
    var status: Int32 = 0
    while true {
      if waitpid(id, &status, WNOHANG) == id { return Self.end(status) }
      if ContinuousClock.now >= deadline {
        kill(id, SIGKILL)
        _ = wait()
        return .timedOut
      }
      usleep(500)
    }
  }

  private func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status
  }

  private static func end(_ status: Int32) -> End {
    status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
  }
}

/// An error number of the system.
struct SystemError: Error, CustomStringConvertible {
  let number: Int32

  var description: String { String(cString: strerror(number)) }
}
