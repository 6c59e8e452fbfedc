import APIDocuments
import Administration
import Bundles
import Foundation
import Publishing

extension AppChange: APIRequest {
    static var keys: Set<String> { ["title", "access", "slug", "passphrase", "listed"] }
}

extension NewDevice: APIRequest {
    static var keys: Set<String> { ["udid", "name", "family", "model", "os"] }
}

extension DeviceListing: APIRequest {
    static var keys: Set<String> { ["list", "registered", "family"] }
}

extension NewInvitation: APIRequest {
    static var keys: Set<String> { ["name", "app", "validSeconds"] }
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

extension RenamingRequest: APIRequest {
    static var keys: Set<String> { ["name"] }
}

extension ApprovalRequest: APIRequest {
    static var keys: Set<String> { ["devices", "all"] }
}

extension LookupRequest: APIRequest {
    static var keys: Set<String> { ["udid"] }
}

extension RenewalRequest: APIRequest {
    static var keys: Set<String> { ["renews"] }
}

extension ProfileRequest: APIRequest {
    static var keys: Set<String> { ["profile"] }
}

/// A request that takes no values.
struct EmptyRequest: APIRequest {
    static let keys: Set<String> = []
}
