import Foundation

/// How much memory there is for this process.
public enum AvailableMemory {
  /// In bytes: the machine's memory, or less where a control group of ours allows less.
  public static let bytes: Int = min(
    Int(clamping: ProcessInfo.processInfo.physicalMemory), ControlGroup.own.memoryLimit ?? .max)
}
