// How the values in messages become bytes and come back.

/// Seconds as a number that fits.
private func milliseconds(_ seconds: Double) -> Int {
  Int(max(0, min(seconds * 1000, 1e15)))
}

extension DecodingOptions {
  func encode(to encoder: inout ByteEncoder) {
    encoder.append(inputSide)
    encoder.append(framing.rawValue.utf8)
    encoder.append(thumbnailSide)
    encoder.append(maximumPixels)
    encoder.append(maximumFileBytes)
    encoder.append(maximumWorkingBytes)
    encoder.append(milliseconds(maximumSeconds))
    encoder.append(prefersEmbeddedThumbnails ? 1 : 0)
  }

  init?(from decoder: inout ByteDecoder) {
    self.init()
    guard let inputSide = decoder.number(), let framing = decoder.text().flatMap(Framing.init(rawValue:)),
      let thumbnailSide = decoder.number(), let maximumPixels = decoder.number(),
      let maximumFileBytes = decoder.number(), let maximumWorkingBytes = decoder.number(),
      let limit = decoder.number(), let prefersEmbeddedThumbnails = decoder.number()
    else { return nil }
    self.inputSide = inputSide
    self.framing = framing
    self.thumbnailSide = thumbnailSide
    self.maximumPixels = maximumPixels
    self.maximumFileBytes = maximumFileBytes
    self.maximumWorkingBytes = maximumWorkingBytes
    self.maximumSeconds = Double(limit) / 1000
    self.prefersEmbeddedThumbnails = prefersEmbeddedThumbnails != 0
  }
}

extension FileIdentity {
  func encode(to encoder: inout ByteEncoder) {
    encoder.append(Int(bitPattern: UInt(device)))
    encoder.append(Int(bitPattern: UInt(inode)))
    encoder.append(Int(size))
    encoder.append(Int(modifiedNanoseconds))
  }

  init?(from decoder: inout ByteDecoder) {
    guard let device = decoder.number(), let inode = decoder.number(), let size = decoder.number(),
      let modified = decoder.number()
    else { return nil }
    self.init(
      device: UInt64(UInt(bitPattern: device)), inode: UInt64(UInt(bitPattern: inode)), size: Int64(size),
      modifiedNanoseconds: Int64(modified))
  }
}

extension PictureFacts {
  func encode(to encoder: inout ByteEncoder) {
    source.encode(to: &encoder)
    encoder.append(Int(bitPattern: UInt(contentHash.high)))
    encoder.append(Int(bitPattern: UInt(contentHash.low)))
    encoder.append(width)
    encoder.append(height)
    encoder.append(format.rawValue.utf8)
    encoder.append(orientation.rawValue)
    encoder.append((takenAt ?? "").utf8)
    if case .partial(let words) = completeness { encoder.append(words.utf8) } else { encoder.append([]) }
    encoder.append(completeness == .complete ? 1 : 0)
  }

  init?(from decoder: inout ByteDecoder) {
    guard let source = FileIdentity(from: &decoder), let high = decoder.number(), let low = decoder.number(),
      let width = decoder.number(), let height = decoder.number(),
      let format = decoder.text().flatMap(ImageFormat.init(rawValue:)),
      let orientation = decoder.number().flatMap(Orientation.init(rawValue:)),
      let takenAt = decoder.text(), let words = decoder.text(), let isComplete = decoder.number(),
      width > 0, height > 0
    else { return nil }
    self.init(
      source: source,
      contentHash: ContentHash(high: UInt64(UInt(bitPattern: high)), low: UInt64(UInt(bitPattern: low))),
      width: width, height: height, format: format, orientation: orientation,
      takenAt: takenAt.isEmpty ? nil : takenAt, completeness: isComplete == 1 ? .complete : .partial(words))
  }
}

extension ImagingError.Reason {
  func encode(to encoder: inout ByteEncoder) {
    let (kind, numbers, text): (Int, [Int], String) =
      switch self {
      case .unreadable(let number): (0, [Int(number)], "")
      case .notAFile: (1, [], "")
      case .empty: (2, [], "")
      case .notAPicture(let other): (3, [other == nil ? 0 : 1], other ?? "")
      case .noCodec(let format): (4, [], format.rawValue)
      case .unsupported(let format, let words): (5, [], format.rawValue + "\n" + words)
      case .tooManyBytes(let bytes, let limit): (6, [bytes, limit], "")
      case .tooManyPixels(let width, let height, let limit): (7, [width, height, limit], "")
      case .tooMuchMemory(let bytes, let limit): (8, [bytes, limit], "")
      case .damaged(let words): (9, [], words)
      case .unwritable(let words): (10, [], words)
      case .tooSlow(let seconds): (11, [milliseconds(seconds)], "")
      case .decoderEnded(let words): (12, [], words)
      case .changing: (13, [], "")
      case .decoderUnavailable(let words): (14, [], words)
      case .cancelled: (15, [], "")
      }
    encoder.append(kind)
    encoder.append(numbers.count)
    numbers.forEach { encoder.append($0) }
    encoder.append(text.utf8)
  }

  init?(from decoder: inout ByteDecoder) {
    guard let kind = decoder.number(), let count = decoder.number(), (0...3).contains(count) else { return nil }
    let numbers = (0..<count).compactMap { _ in decoder.number() }
    guard numbers.count == count, let text = decoder.text() else { return nil }
    switch (kind, count) {
    case (0, 1): self = .unreadable(errno: Int32(truncatingIfNeeded: numbers[0]))
    case (1, 0): self = .notAFile
    case (2, 0): self = .empty
    case (3, 1): self = .notAPicture(looksLike: numbers[0] == 0 ? nil : text)
    case (4, 0):
      guard let format = ImageFormat(rawValue: text) else { return nil }
      self = .noCodec(format)
    case (5, 0):
      let parts = text.split(separator: "\n", maxSplits: 1).map(String.init)
      guard parts.count == 2, let format = ImageFormat(rawValue: parts[0]) else { return nil }
      self = .unsupported(format, parts[1])
    case (6, 2): self = .tooManyBytes(numbers[0], limit: numbers[1])
    case (7, 3): self = .tooManyPixels(width: numbers[0], height: numbers[1], limit: numbers[2])
    case (8, 2): self = .tooMuchMemory(bytes: numbers[0], limit: numbers[1])
    case (9, 0): self = .damaged(text)
    case (10, 0): self = .unwritable(text)
    case (11, 1): self = .tooSlow(seconds: Double(numbers[0]) / 1000)
    case (12, 0): self = .decoderEnded(text)
    case (13, 0): self = .changing
    case (14, 0): self = .decoderUnavailable(text)
    case (15, 0): self = .cancelled
    default: return nil
    }
  }
}
