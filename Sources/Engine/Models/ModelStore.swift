import Features
import Foundation
import Imaging

/// The networks that are installed here: one file each, in a folder of the user's.
public struct ModelStore: Sendable {
  /// The folder; it need not be there.
  public let folder: BytePath

  private static let ending = ".safetensors"

  /// The store in `$XDG_DATA_HOME/kiano-gpu/models`, else in `~/.local/share/kiano-gpu/models`.
  public init() {
    let environment = ProcessInfo.processInfo.environment
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share"
    folder = BytePath(data + "/kiano-gpu/models")
  }

  /// A model that is listed, or why it can't be used.
  public struct Entry: Sendable {
    /// Its name.
    public let name: String
    /// Its file; nil for the one that the program carries.
    public let file: BytePath?
    /// The model, or what is wrong with its file.
    public let model: Result<NetworkModel, EngineError>
  }

  /// The built-in model, then those that are installed by name.
  public func entries() -> [Entry] {
    let files =
      (try? FileManager.default.contentsOfDirectory(atPath: String(decoding: folder.bytes, as: UTF8.self))) ?? []
    let names = files.filter { $0.hasSuffix(Self.ending) }.map { String($0.dropLast(Self.ending.count)) }
    return [Entry(name: NetworkModel.kianoName, file: nil, model: .success(.kiano))]
      + names.filter { Self.isName($0) && $0 != NetworkModel.kianoName }.sorted().map { name in
        Entry(name: name, file: file(of: name), model: Result { () throws(EngineError) in try model(named: name) })
      }
  }

  /// The model of a name.
  /// - Throws: `EngineError` where there is none, or its file can't be used.
  public func model(named name: String) throws(EngineError) -> NetworkModel {
    if name == NetworkModel.kianoName { return .kiano }
    let file = file(of: name)
    guard Self.isName(name), file.withCString({ access($0, F_OK) }) == 0 else {
      let others = entries().map(\.name).joined(separator: ", ")
      throw EngineError(
        .failed, "there is no model '\(name)'; there are: \(others). 'kiano-gpu model import' installs others")
    }
    return try modelFile(file) { () throws in try NetworkModel(name: name, file: try readFile(file)) }
  }

  /// Installs a model.
  /// - Parameters:
  ///   - bytes: what `NetworkModel.encoded` gives.
  ///   - replaces: whether a model of that name may be replaced.
  /// - Returns: its file.
  public func install(_ bytes: [UInt8], as name: String, replaces: Bool) throws(EngineError) -> BytePath {
    let file = file(of: name)
    if !replaces, file.withCString({ access($0, F_OK) }) == 0 {
      throw EngineError(
        .failed, "there is a model '\(name)' already; choose another --name, or replace it with --force")
    }
    do {
      try FileManager.default.createDirectory(
        atPath: String(decoding: folder.bytes, as: UTF8.self), withIntermediateDirectories: true)
    } catch {
      throw EngineError(.failed, "the folder of the models, \(folder.displayName), can't be made: \(error.words)")
    }
    try writeFile(bytes, to: file)
    return file
  }

  /// Whether a model may be called so: letters, digits, and . _ - within, so that it is a file's name everywhere.
  public static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 64 else { return false }
    func isLetter(_ byte: UInt8) -> Bool {
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }
    return isLetter(first) && name.utf8.allSatisfy { isLetter($0) || ".-_".utf8.contains($0) }
  }

  private func file(of name: String) -> BytePath { folder.appending(name + Self.ending) }
}

/// Turns what reading a model's file throws into the engine's error, which names the file.
func modelFile<Value>(_ path: BytePath, _ body: () throws -> Value) throws(EngineError) -> Value {
  do {
    return try body()
  } catch let error as EngineError {
    throw error
  } catch {
    throw EngineError(.failed, "\(path.displayName): \(error)")
  }
}

extension Error {
  /// What the system says, without Foundation's wrapping.
  fileprivate var words: String {
    let error = self as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    return cause.domain == NSPOSIXErrorDomain ? systemMessage(Int32(cause.code)) : error.localizedDescription
  }
}
