import Testing

@testable import Sorting
