import Testing

@testable import Atlas
