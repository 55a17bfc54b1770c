/// Puts thumbnails together to one JPEG file without decoding them: what is joined is as it was, and it takes no more
/// than copying. For use by one thread.
///
/// A restart marker (ITU-T T.81, F.1.1.5.2) ends a run of blocks that is coded independently of those before it. In a
/// thumbnail a run is a row of blocks; in the joined file, whose rows of blocks go through several thumbnails, it is a
/// thumbnail's part of such a row. So the joined file has the thumbnails' runs in another order, and their header with
/// another size:
///
///     thumbnails  a0 a1 ... a7   b0 b1 ... b7        joined  a0 b0 a1 b1 ... a7 b7
public struct JPEGJoiner {
  /// Pixels along the side of a thumbnail.
  public let side: Int

  /// What all thumbnails begin with, up to their first run.
  private let header: [UInt8]
  /// Where the header has the height and, two bytes behind it, the width.
  private let sizeOffset: Int
  private var columns = 0
  private var cells: [Part] = []

  private struct Part {
    let bytes: [UInt8]
    let runs: [Range<Int>]
  }

  /// - Parameter model: a thumbnail. Those of the same header can be joined.
  /// - Throws: where it isn't one of `ThumbnailEncoder`, square, with sides of whole blocks of 16.
  public init(model: [UInt8]) throws(ImagingError) {
    guard let (start, frame) = Self.header(of: model), frame + 4 <= start, start < model.count else {
      throw Self.notOurs
    }
    header = Array(model[..<start])
    sizeOffset = frame
    let (height, width) = (Self.number(model, frame), Self.number(model, frame + 2))
    guard width == height, width > 0, width.isMultiple(of: 16) else { throw Self.notOurs }
    side = width
    guard part(model) != nil else { throw Self.notOurs }
  }

  /// Begins a picture of so many thumbnails.
  public mutating func start(columns: Int, rows: Int, filledWith model: [UInt8]) throws(ImagingError) {
    guard let part = part(model) else { throw Self.notOurs }
    self.columns = columns
    cells = Array(repeating: part, count: columns * rows)
  }

  /// Puts a thumbnail in its place.
  /// - Returns: false, with nothing changed, where it is damaged or of another kind.
  public mutating func add(_ thumbnail: [UInt8], column: Int, row: Int) -> Bool {
    guard let part = part(thumbnail) else { return false }
    cells[row * columns + column] = part
    return true
  }

  /// Ends the picture.
  /// - Returns: a JPEG file.
  public mutating func finish() -> [UInt8] {
    var file = header
    file.reserveCapacity(header.count + cells.reduce(0) { $0 + $1.bytes.count })
    let rows = cells.count / columns
    for (offset, value) in [(0, rows * side), (2, columns * side)] {
      file[sizeOffset + offset] = UInt8(value >> 8)
      file[sizeOffset + offset + 1] = UInt8(value & 0xFF)
    }
    var runs = 0
    for row in 0..<rows {
      for run in 0..<side / 16 {
        for column in 0..<columns {
          if runs > 0 { file += [0xFF, 0xD0 + UInt8((runs - 1) % 8)] }
          let part = cells[row * columns + column]
          file += part.bytes[part.runs[run]]
          runs += 1
        }
      }
    }
    cells = []
    return file + [0xFF, 0xD9]
  }

  // MARK: - Parts of files

  /// A thumbnail taken apart; nil where it is of another kind.
  private func part(_ bytes: [UInt8]) -> Part? {
    guard bytes.count > header.count + 2, bytes.starts(with: header) else { return nil }
    var runs: [Range<Int>] = []
    runs.reserveCapacity(side / 16)
    var (start, position) = (header.count, header.count)
    while let mark = bytes[position...].firstIndex(of: 0xFF), mark + 1 < bytes.count {
      position = mark + 2
      switch bytes[mark + 1] {
      case 0: continue
      case 0xD0 + UInt8(runs.count % 8), 0xD9:
        runs.append(start..<mark)
        start = position
        if bytes[mark + 1] == 0xD9 {
          return runs.count == side / 16 && position == bytes.count ? Part(bytes: bytes, runs: runs) : nil
        }
      default: return nil
      }
    }
    return nil
  }

  /// Where a baseline file's first run begins, and where its header has the size.
  private static func header(of bytes: [UInt8]) -> (start: Int, frame: Int)? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var (position, frame, hasInterval): (Int, Int?, Bool) = (2, nil, false)
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let (marker, length) = (bytes[position + 1], number(bytes, position + 2))
      switch marker {
      case 0xC0: frame = position + 5
      case 0xDD: hasInterval = true
      case 0xDA: return hasInterval ? frame.map { (position + 2 + length, $0) } : nil
      default: break
      }
      position += 2 + length
    }
    return nil
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
    offset + 1 < bytes.count ? Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) : 0
  }

  private static let notOurs = ImagingError(path: nil, reason: .unwritable("a thumbnail isn't one of this program"))
}
