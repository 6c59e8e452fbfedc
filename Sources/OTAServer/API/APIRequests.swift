import APIDocuments
import Administration
import Bundles
import Foundation
import Publishing

extension AppChange: APIRequest {
    static var keys: Set<String> { ["title", "access", "slug", "passphrase", "listed"] }
}

extension NotesRequest: APIRequest {
    static var keys: Set<String> { ["notes"] }
}

extension WithdrawalRequest: APIRequest {
    static var keys: Set<String> { ["reason"] }
}

extension PromotionRequest: APIRequest {
    static var keys: Set<String> { ["channel"] }
}

extension PruneRequest: APIRequest {
    static var keys: Set<String> { ["keep", "dryRun"] }
}

/// A request that takes no values.
struct EmptyRequest: APIRequest {
    static let keys: Set<String> = []
}
