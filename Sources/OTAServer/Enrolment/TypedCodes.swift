import Enrolment
import Foundation
import Synchronization

/// Codes that were typed of late, for the whole server.
final class TypedCodes: Sendable {
    private let attempts = Mutex(CodeAttempts())

    /// - Throws: ``InvitationRefusal/tooManyAttempts(wait:)``.
    func admit(_ address: String, at date: Date) throws(InvitationRefusal) {
        try attempts.withLock { attempts throws(InvitationRefusal) in
            try attempts.admit(from: address, at: date)
        }
    }

    func forgive(_ address: String) {
        attempts.withLock { $0.forgive(address) }
    }
}
