import Features
import Imaging

/// A whole .npy file. What doesn't begin like one is not read on.
/// - Throws: `EngineError` with the path and the reason.
func readArray(_ path: BytePath) throws(EngineError) -> NPYArray {
  let magic = [0x93] + Array("NUMPY".utf8)
  let bytes = try readFile(path, beginningWith: magic, called: "a .npy file")
  do {
    return try NPYArray(parsing: bytes, name: path.displayName)
  } catch {
    throw EngineError(.failed, "\(error)")
  }
}
