import Foundation

/// The system's error numbers in words.
enum SystemMessage {
  static func text(_ number: Int32) -> String {
    String(cString: strerror(number))
  }
}
