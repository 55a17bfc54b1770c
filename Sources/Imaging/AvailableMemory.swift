import Foundation

/// How much memory there is for this process.
public enum AvailableMemory {
  /// In bytes: the machine's memory, or less where a control group (version 2) of ours allows less.
  public static let bytes: Int = min(Int(clamping: ProcessInfo.processInfo.physicalMemory), limit ?? .max)

  private static var limit: Int? {
    ControlGroup.files(named: "memory.max").compactMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }.min()
  }
}
