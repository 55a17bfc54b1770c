import Foundation
import TestSupport

@testable import Imaging

/// The collection of unusual and hostile files beside the checkout, and what each of them should give.
enum Corpus {
  /// What a decoder should make of a file.
  enum Expectation: String {
    case decode
    case error
    case errorOrDecode = "error-or-decode"
    case decodeOrSkip = "decode-or-skip"
    case skip
  }

  /// One line of the manifest.
  struct Row: Sendable, CustomStringConvertible {
    let name: String
    let expectation: Expectation
    let width: Int?
    let height: Int?
    /// The mean colour of the upright picture, RGB.
    let mean: [Int]
    /// The colours of the upright picture's four quadrants, top left to bottom right, RGB each.
    let quadrants: [[Int]]
    /// Per channel; nil where size and colours are just information.
    let tolerance: Int?

    var description: String { name }
    var path: BytePath { BytePath(folder!.appendingPathComponent(name).path) }
  }

  static let folder = Locations.shared?.appendingPathComponent("corpus")

  /// All rows; none where the corpus isn't at hand.
  static let rows: [Row] = {
    guard let folder, let text = try? String(contentsOf: folder.appendingPathComponent("MANIFEST.tsv"), encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 11, let expectation = Expectation(rawValue: fields[6]) else { return nil }
      let quadrants = fields[10].split(separator: ",").map { colour in
        stride(from: 16, through: 0, by: -8).map { Int(colour, radix: 16)! >> $0 & 255 }
      }
      return Row(
        name: fields[0], expectation: expectation, width: Int(fields[7]), height: Int(fields[8]),
        mean: fields[9].split(separator: ",").compactMap { Int($0) }, quadrants: quadrants,
        tolerance: Int(fields[11]))
    }
  }()

  static func row(_ name: String) -> Row? {
    rows.first { $0.name == name }
  }
}
