import Arguments

/// Columns and rows as a person writes them: 64x32.
struct GridSize: ExpressibleByArgument {
  let columns: Int
  let rows: Int

  init?(argument: [UInt8]) {
    let parts = String(decoding: argument, as: UTF8.self).lowercased().split(
      separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let columns = Int(parts[0]), let rows = Int(parts[1]), columns > 0, rows > 0 else {
      return nil
    }
    (self.columns, self.rows) = (columns, rows)
  }
}
