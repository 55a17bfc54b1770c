import Foundation

/// The control groups that this process is in, of either version.
struct ControlGroup {
  /// The lines of `/proc/self/cgroup`: number, controllers, path. Version 2 has number 0 and names no controller.
  private let groups: [(controllers: String, path: String)]
  /// Where the groups' folders are.
  private let root: String

  /// The groups of this process.
  static let own = ControlGroup(
    (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? "", root: "/sys/fs/cgroup")

  init(_ text: String, root: String) {
    groups = text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      return fields.count == 3 ? (fields[1], fields[2]) : nil
    }
    self.root = root
  }

  /// The memory that it may use, in bytes: the least of its group's limit and those of the groups above.
  var memoryLimit: Int? {
    (files(named: "memory.max", of: nil) + files(named: "memory.limit_in_bytes", of: "memory")).compactMap {
      Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }.min()
  }

  /// The processors whose time it may use, rounded up to whole ones; the least of its group's limit and those above.
  var processorLimit: Int? {
    let times = files(named: "cpu.cfs_quota_us", of: "cpu")
    let periods = files(named: "cpu.cfs_period_us", of: "cpu")
    return (files(named: "cpu.max", of: nil) + zip(times, periods).map { "\($0) \($1)" })
      .compactMap(Self.processors).min()
  }

  /// Processors of a time and a period in microseconds: `150000 100000` is 2; `max 100000` and `-1 100000` are no limit.
  static func processors(_ limit: String) -> Int? {
    let numbers = limit.split(whereSeparator: \.isWhitespace).map { Int($0) }
    guard numbers.count == 2, let time = numbers[0], let period = numbers[1], time > 0, period > 0 else { return nil }
    let (whole, rest) = time.quotientAndRemainder(dividingBy: period)
    return whole + (rest > 0 ? 1 : 0)
  }

  /// The contents of a file of our group and of those above it, where there is one.
  ///
  /// - Parameter controller: of version 1, or nil for version 2.
  private func files(named name: String, of controller: String?) -> [String] {
    let group = groups.first { group in
      guard let controller else { return group.controllers.isEmpty }
      return group.controllers.split(separator: ",").contains { $0 == controller }
    }
    guard let group else { return [] }
    let top = controller == nil ? root : root + "/" + group.controllers
    var folder = top + (group.path == "/" ? "" : group.path)
    var contents: [String] = []
    while folder.hasPrefix(top) {
      if let content = try? String(contentsOfFile: folder + "/" + name, encoding: .utf8) { contents.append(content) }
      folder = (folder as NSString).deletingLastPathComponent
    }
    return contents
  }
}
