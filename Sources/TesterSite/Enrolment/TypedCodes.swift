import Access
import Enrolment
import Foundation
import SiteServices
import Store
import Synchronization

/// Counts recent attempts to enter a code, on all servers.
final class TypedCodes: Sendable {
    private let ofAddresses = Mutex(CodeAttempts())
    private let ofAll: SharedGuesses
    private static let secret = "codes"

    init(in store: OTAStore?) {
        ofAll = SharedGuesses(.code, in: store)
    }

    /// - Throws: ``InvitationRefusal/tooManyAttempts(wait:)``, whose wait is in seconds, and
    ///   `StoreFailure`.
    func admit(_ address: String, at date: Date) throws {
        try ofAddresses.withLock { try $0.admit(from: address, at: date) }
        let wait: TimeInterval?
        do {
            wait = try ofAll.admit(to: Self.secret, from: address, at: date)
        } catch {
            ofAddresses.withLock { $0.forgive(address) }
            throw error
        }
        guard let wait else { return }
        // The code was not checked.
        ofAddresses.withLock { $0.forgive(address) }
        throw InvitationRefusal.tooManyAttempts(wait: max(1, Int(wait.rounded(.up))))
    }

    func forgive(_ address: String) {
        ofAddresses.withLock { $0.forgive(address) }
        ofAll.forgive(Self.secret, address)
    }
}
