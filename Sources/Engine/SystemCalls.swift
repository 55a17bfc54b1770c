import Foundation
import Imaging

/// The system's word for an error number.
func systemMessage(_ code: Int32) -> String {
  String(cString: strerror(code))
}

/// A whole file.
/// - Parameter magic: what the file must begin with to be read at all, and what one that does is called.
/// - Throws: `EngineError` with the path and the reason.
func readFile(_ path: BytePath, beginningWith magic: [UInt8] = [], called kind: String = "") throws(EngineError)
  -> [UInt8]
{
  guard let file = path.withCString({ fopen($0, "rbe") }) else { throw path.failure("read", errno: errno) }
  defer { fclose(file) }
  var status = stat()
  guard fstat(fileno(file), &status) == 0 else { throw path.failure("read", errno: errno) }
  guard status.st_mode & S_IFMT != S_IFDIR else { throw path.failure("read", errno: EISDIR) }
  guard status.st_mode & S_IFMT == S_IFREG else {
    throw EngineError(.failed, "\(path.displayName) can't be read: it isn't a regular file")
  }
  if !magic.isEmpty {
    var head = [UInt8](repeating: 0, count: magic.count)
    guard fread(&head, 1, head.count, file) == head.count, head == magic else {
      throw EngineError(.failed, "\(path.displayName) isn't \(kind)")
    }
    rewind(file)
  }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(Int(status.st_size))
  var block = [UInt8](repeating: 0, count: 1 << 20)
  while true {
    let count = fread(&block, 1, block.count, file)
    bytes += block[..<count]
    if count < block.count { break }
  }
  guard ferror(file) == 0 else { throw path.failure("read", errno: errno) }
  return bytes
}

/// Writes a file beside `path` and renames it, so that there is never half of one. A link stays, and its target is
/// replaced; a pipe or a device is written into.
/// - Throws: `EngineError` with the path and the reason.
func writeFile(_ bytes: [UInt8], to path: BytePath) throws(EngineError) {
  var status = stat()
  if path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT != S_IFREG {
    return try writeInto(bytes, path)
  }
  try replaceFile(bytes, path.resolved() ?? path)
}

private func writeInto(_ bytes: [UInt8], _ path: BytePath) throws(EngineError) {
  guard let file = path.withCString({ fopen($0, "we") }) else { throw path.failure("written", errno: errno) }
  var failure: Int32 = 0
  if fwrite(bytes, 1, bytes.count, file) != bytes.count { failure = errno }
  if fclose(file) != 0, failure == 0 { failure = errno }
  if failure != 0 { throw path.failure("written", errno: failure) }
}

private func replaceFile(_ bytes: [UInt8], _ path: BytePath) throws(EngineError) {
  let temporary = BytePath(path.bytes + Array(".partial-\(getpid())".utf8))
  guard let file = temporary.withCString({ fopen($0, "wbe") }) else { throw path.failure("written", errno: errno) }
  var failure: Int32 = 0
  if fwrite(bytes, 1, bytes.count, file) != bytes.count { failure = errno }
  if fclose(file) != 0, failure == 0 { failure = errno }
  if failure == 0, temporary.withCString({ from in path.withCString { rename(from, $0) } }) != 0 { failure = errno }
  if failure != 0 {
    _ = temporary.withCString { unlink($0) }
    throw path.failure("written", errno: failure)
  }
}

/// The most memory that this process has held, in bytes.
public func peakResidentBytes() -> Int {
  // `getrusage` also counts what the process that started this one held at that moment.
  if let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
    let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
    let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
  {
    return kibibytes * 1024
  }
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss * 1024
}
