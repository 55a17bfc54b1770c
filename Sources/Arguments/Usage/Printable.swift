/// Text that can't steer a terminal.
func printable(_ text: String) -> String {
  text.unicodeScalars.map { scalar in
    scalar.properties.generalCategory == .control
      ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
  }.joined()
}
