import Arguments
import Engine

/// Which network computes vectors.
struct ModelOptions {
  @Option(
    .long("model"), valueName: "NAME",
    help: "The network; one of 'model list', that of the index or else kiano where left out")
  var name: String?

  var request: ModelRequest {
    var request = ModelRequest()
    request.name = name
    return request
  }
}

/// Which network computes vectors, and which projection.
struct FittedModelOptions {
  @OptionGroup var model = ModelOptions()
  @Flag(
    .long("fit-pca"),
    help: "Learn the projection to 64 bytes from these pictures, 1,000 or more, instead of taking the model's",
    isAdvanced: true)
  var fits: Bool

  var request: ModelRequest {
    var request = model.request
    request.fitsProjection = fits
    return request
  }
}
