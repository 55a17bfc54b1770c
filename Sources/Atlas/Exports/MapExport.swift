import Features
import Imaging
import Sorting

/// A file with the order of a map, for other programs; it lies in the map's folder.
public enum MapExport: String, Sendable, CaseIterable {
  /// `order.csv`: place on the path, cell, path of the file, size and date (RFC 4180).
  case csv
  /// `order.json`: the same as an array.
  case json
  /// `order.npy`: for each cell the number of its picture in `map.json`, -1 for none; int32 `[rows, columns]`.
  case npy
  /// `order.txt`: the paths of the files, one a line.
  case list
  /// `order.list0`: the paths of the files, with a zero byte behind each: names may hold line ends.
  case list0

  /// The file's name.
  public var fileName: String {
    switch self {
    case .csv: "order.csv"
    case .json: "order.json"
    case .npy: "order.npy"
    case .list: "order.txt"
    case .list0: "order.list0"
    }
  }

  /// Writes the file into a folder.
  func write(_ contents: MapContents, along path: CellPath, into folder: BytePath) throws(AtlasError) {
    let target = folder.appending(fileName)
    let grid = contents.arrangement.grid
    if self == .npy {
      let array = NPYArray(shape: [grid.rows, grid.columns], contents.arrangement.items)
      return try FileWriter.write(array.encoded(), to: target)
    }
    let file = try FileWriter(target)
    let entries = contents.entries(along: path)
    switch self {
    case .csv: try writeCSV(entries, to: file)
    case .json: try writeJSON(entries, to: file)
    case .npy: break
    case .list, .list0:
      for entry in entries { try file.write(entry.picture.path.bytes + [self == .list ? 0x0A : 0]) }
    }
    try file.finish()
  }

  private func writeCSV(_ entries: [MapContents.Entry], to file: FileWriter) throws(AtlasError) {
    try file.write("order,column,row,path,width,height,taken,status\r\n")
    for (order, entry) in entries.enumerated() {
      let picture = entry.picture
      try file.write("\(order),\(entry.column),\(entry.row),")
      // Bytes as they are: a name need not be text.
      try file.write([0x22] + picture.path.bytes.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] } + [0x22])
      let status = picture.isPartial ? "partial" : "ok"
      try file.write(",\(picture.width),\(picture.height),\(picture.takenAt ?? ""),\(status)\r\n")
    }
  }

  private func writeJSON(_ entries: [MapContents.Entry], to file: FileWriter) throws(AtlasError) {
    var json = JSONWriter(file)
    try json.beginArray(lines: true)
    for entry in entries {
      try json.beginObject()
      try json.key("column")
      try json.value(entry.column)
      try json.key("row")
      try json.value(entry.row)
      try json.members(of: entry.picture.path)
      try json.end()
    }
    try json.end()
    try file.write("\n")
  }
}

extension MapContents {
  /// A picture and where it lies.
  struct Entry {
    let column: Int
    let row: Int
    let picture: MapPicture
  }

  /// The pictures in the order of a path.
  func entries(along path: CellPath) -> [Entry] {
    let columns = arrangement.grid.columns
    return path.cells(of: arrangement.grid).compactMap { cell in
      let item = arrangement.items[cell]
      if item == Arrangement.hole { return nil }
      return Entry(column: cell % columns, row: cell / columns, picture: pictures[Int(item)])
    }
  }
}
