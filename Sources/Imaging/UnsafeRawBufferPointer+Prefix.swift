extension UnsafeRawBufferPointer {
  /// Whether the bytes from `offset` on begin with a text of ASCII characters.
  func has(_ text: StaticString, at offset: Int = 0) -> Bool {
    guard offset <= count, text.utf8CodeUnitCount <= count - offset else { return false }
    for index in 0..<text.utf8CodeUnitCount where self[offset + index] != text.utf8Start[index] { return false }
    return true
  }
}
