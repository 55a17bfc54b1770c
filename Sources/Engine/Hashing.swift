import Foundation
import Imaging
import Synchronization

/// Hashes files on several threads.
enum Hashing {
  typealias Result = (hash: ContentHash, identity: FileIdentity)

  /// - Returns: for each file its hash and what it was; nil where it can't be read.
  static func hashes(of paths: [BytePath], threads: Int) -> [Result?] {
    let next = Atomic<Int>(0)
    let results = Mutex([Result?](repeating: nil, count: paths.count))
    DispatchQueue.concurrentPerform(iterations: min(threads, paths.count)) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < paths.count else { return }
        let result = ContentHash.ofFile(paths[index])
        results.withLock { $0[index] = result }
      }
    }
    return results.withLock { $0 }
  }
}
