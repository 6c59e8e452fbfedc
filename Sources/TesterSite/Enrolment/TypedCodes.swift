import Access
import Enrolment
import Foundation
import Synchronization

/// Counts recent attempts to enter a code, for the whole server.
final class TypedCodes: Sendable {
    private struct State {
        var ofAddresses = CodeAttempts()
        var ofAll = SharedGuessLimit(.code)
    }

    private let state = Mutex(State())

    /// - Throws: ``InvitationRefusal/tooManyAttempts(wait:)``.
    func admit(_ address: String, at date: Date) throws(InvitationRefusal) {
        try state.withLock { state throws(InvitationRefusal) in
            try state.ofAddresses.admit(from: address, at: date)
            guard let wait = state.ofAll.admit(from: address, at: date) else { return }
            // The code was not checked.
            state.ofAddresses.forgive(address)
            throw .tooManyAttempts(wait: max(1, Int(wait.rounded(.up))))
        }
    }

    func forgive(_ address: String) {
        state.withLock { state in
            state.ofAddresses.forgive(address)
            state.ofAll.forgive(address)
        }
    }
}
