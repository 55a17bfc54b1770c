import Imaging

/// What a scan found, compared with an index.
public struct LibraryChanges {
  /// What was passed over, and what couldn't be looked at.
  public internal(set) var scan = ScanSummary()
  /// Files that are as the index knows them.
  public internal(set) var unchangedCount = 0
  /// Files of which the index knows nothing, not even under another name.
  public internal(set) var newCount = 0
  /// Files whose size or time differs from what the index knows.
  public internal(set) var modifiedCount = 0
  /// Files that couldn't be read before, under conditions that are others now.
  public internal(set) var retriedCount = 0
  /// Files that the index knows under a name that is gone.
  public internal(set) var movedCount = 0
  /// Further names of files that the index knows.
  public internal(set) var linkedCount = 0
  /// Pictures that the index knows and that are gone.
  public internal(set) var goneCount = 0
  /// Pictures that are still there, and that the rules now leave out.
  public internal(set) var leftOutCount = 0
  /// Pictures in the index outside of the folders that this run is about.
  public internal(set) var elsewhereCount = 0
  /// The size of all files that have to be read, in bytes.
  public internal(set) var bytesToRead: Int64 = 0
  /// Files of which the index knows that they can't be used, and why.
  public internal(set) var knownFailures: [(path: BytePath, reason: String)] = []
  /// Files of formats that this build can't read.
  public internal(set) var unreadableFormatCount = 0
  /// Roots from which so much is gone that it may be a mistake.
  public internal(set) var losses: [Loss] = []

  /// Files that have to be read.
  public var toReadCount: Int { newCount + modifiedCount + retriedCount }
  /// Pictures that can be shown, of all that was read so far.
  public var pictureCount: Int { pictures.count }
  /// Whether the library is as it was.
  public var isEmpty: Bool {
    toReadCount + movedCount + linkedCount + goneCount + leftOutCount + elsewhereCount + returnedCount == 0
  }

  /// A root from which pictures are gone.
  public struct Loss: Sendable, Equatable {
    /// Why it may be a mistake.
    public enum Kind: Sendable, Equatable {
      /// The root itself isn't there.
      case missingRoot
      /// Nothing is left in it.
      case emptyRoot
      /// It is on another file system than before.
      case otherDevice
      /// All pictures of a disk that was mounted below it are gone.
      case missingMount
      /// More than half are gone.
      case mostGone
    }
    /// The root.
    public let root: BytePath
    /// Why it may be a mistake.
    public let kind: Kind
    /// Pictures that are gone.
    public let goneCount: Int
    /// Pictures that there were.
    public let knownCount: Int
  }

  /// Pictures that were gone or left out, and are there again.
  var returnedCount = 0
  /// The roots with their file systems; -1 for one that isn't there.
  var roots: [(path: BytePath, device: Int64)] = []
  /// What was found, in the scan's order: a picture of the index, or minus the number of a pending file.
  var order: [Int64] = []
  /// For each pending file the picture that it became; 0 before, and where it became none.
  var resolved: [Int64] = []
  /// Pictures of the index whose state changes when this is applied.
  var newStates: [(picture: Int64, state: PictureState)] = []

  /// The pictures of the index that were found and can be used, in the scan's order, once all pending files have been
  /// read.
  var pictures: [Int64] {
    order.compactMap { entry in
      let picture = entry > 0 ? entry : resolved[Int(-entry) - 1]
      return picture > 0 ? picture : nil
    }
  }
}

/// Whether a picture belongs to the map.
enum PictureState: Int64 {
  /// It was found by the last run.
  case present = 0
  /// It wasn't looked for, or the rules left it out.
  case leftOut = 1
  /// Its file is gone.
  case gone = 2
}

/// What became of a file that had to be read.
enum PendingKind: Int64 {
  case new = 0
  case modified = 1
  /// The same file, as device and number say, as one that the index knows.
  case sameFile = 2
}
