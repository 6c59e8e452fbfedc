import APIDocuments
import Administration
import Bundles
import Foundation
import Publishing

/// A request that takes no values.
struct EmptyRequest: APIRequest {
    static let keys: Set<String> = []
}
