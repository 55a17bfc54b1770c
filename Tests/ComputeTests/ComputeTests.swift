import Testing

@testable import Compute
