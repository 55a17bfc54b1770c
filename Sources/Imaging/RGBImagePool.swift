import Synchronization

/// Pixels that were handed out and came back, to be filled again.
///
/// They are ordinary arrays: whoever keeps one that was given back has his own copy as soon as it is filled again.
final class RGBImagePool: Sendable {
  private let kept = Mutex<[[UInt8]]>([])
  private let capacity: Int

  /// - Parameter capacity: how many arrays are kept; more are freed.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// An array of `count` bytes of any content.
  func take(count: Int) -> [UInt8] {
    let used = kept.withLock { kept in
      kept.lastIndex { $0.count == count }.map { index in
        kept.swapAt(index, kept.count - 1)
        return kept.removeLast()
      }
    }
    return used ?? [UInt8](repeating: 0, count: count)
  }

  /// Takes the pixels of a picture that is of no more use.
  func give(_ picture: consuming DecodedPicture) {
    let (input, thumbnail) = (picture.input.pixels, picture.thumbnail.pixels)
    // Where both are the same picture, they are one array.
    let areSame = input.withUnsafeBufferPointer { input in
      thumbnail.withUnsafeBufferPointer { input.baseAddress == $0.baseAddress }
    }
    kept.withLock { kept in
      if kept.count + 2 > capacity { return }
      kept.append(input)
      if !areSame { kept.append(thumbnail) }
    }
  }
}
