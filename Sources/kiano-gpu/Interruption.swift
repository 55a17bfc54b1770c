import Engine
import Foundation
import Synchronization

/// Ctrl-C and SIGTERM: the first ends the job at the next safe place, the second ends the program at once.
enum Interruption {
  private static let received = Atomic<Int32>(0)
  private static let cancellation = Cancellation()

  /// A wish to end that the signals utter from now on.
  static func watch() -> Cancellation {
    // Whoever started the program may have done so from a thread that blocks signals, which is inherited.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGHUP)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    var numbers = [SIGINT, SIGTERM]
    // A terminal that is closed; under nohup it is to be ignored.
    var hangup = sigaction()
    sigaction(SIGHUP, nil, &hangup)
    if hangup.__sigaction_handler.sa_handler == nil { numbers.append(SIGHUP) }
    for number in numbers {
      signal(number) { number in
        // Only what is safe in a signal handler: atomics, write and _exit.
        if Interruption.received.exchange(number, ordering: .relaxed) != 0 { _exit(128 + number) }
        Interruption.cancellation.request()
        let words: StaticString = "\ninterrupted; ending at the next safe place (again to end at once)\n"
        _ = write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
      }
    }
    return cancellation
  }

  /// 128 and the signal's number.
  static var exitCode: Int32 { 128 + received.load(ordering: .relaxed) }
}
