import Imaging
import Viewer

/// `index.html` and `viewer/`: the page, which is the same for every map.
enum PageFiles {
  /// The files of Leaflet that the page uses. Its pictures are for markers and layers, of which we have none.
  private static let leaflet = ["leaflet.css", "leaflet.min.js"]

  /// Whether Leaflet is where it should be.
  static func check(leafletFolder: BytePath) throws(AtlasError) {
    for name in leaflet where try FileSystem.kind(leafletFolder.appending(name), followingLink: true) != .file {
      throw AtlasError(leafletFolder, .leafletMissing)
    }
  }

  /// - Parameter folder: the map's; `viewer` in it must not exist yet.
  static func write(into folder: BytePath, leafletFolder: BytePath) throws(AtlasError) {
    let viewer = folder.appending("viewer")
    try FileSystem.makeFolder(viewer)
    for name in leaflet {
      try FileWriter.write(FileSystem.read(leafletFolder.appending(name)), to: viewer.appending(name))
    }
    for file in UnsafeBufferPointer(start: kiano_viewer_files, count: kiano_viewer_files_count) {
      let name = String(cString: file.name)
      let bytes = Array(UnsafeBufferPointer(start: file.content, count: file.count))
      try FileWriter.write(bytes, to: (name == "index.html" ? folder : viewer).appending(name))
    }
  }
}
