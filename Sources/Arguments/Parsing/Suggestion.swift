/// `; did you mean NAME?` for the name nearest to what was written, or nothing where none is near.
///
/// - Parameter limit: how many letters may differ; a third of the word's where left out.
func suggestion(for word: String, among names: [String], within limit: Int? = nil) -> String {
  let nearest = names.map { (name: $0, distance: editDistance(word, $0)) }.min { $0.distance < $1.distance }
  guard let nearest, nearest.distance <= limit ?? max(1, word.count / 3) else { return "" }
  return "; did you mean \(nearest.name)?"
}

/// Damerau's distance with adjacent transpositions: the fewest letters to insert, delete, replace or exchange with
/// their neighbour that turn one word into the other.
func editDistance(_ first: String, _ second: String) -> Int {
  let (a, b) = (Array(first), Array(second))
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    for j in 0..<b.count {
      var best = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
      row.append(best)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}
