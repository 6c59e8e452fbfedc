package import APIDocuments

/// An action as a store does it: it checks what it was given, changes the store, records what
/// happened in the activity, and answers with a document.
package protocol StoreAction: Action {
    /// Does the action. It may wait for the disk.
    func perform(in administration: LocalAdministration) throws -> Answer
}

/// An action that waits for another server, such as the receiver of a webhook.
package protocol WaitingAction: Action {
    /// Does the action, and returns when the other side has answered.
    func perform(in administration: LocalAdministration) async throws -> Answer
}

extension LocalAdministration {
    package func perform<Performed: StoreAction>(
        _ action: Performed
    ) throws -> Performed.Answer {
        try action.perform(in: self)
    }

    package func perform<Performed: WaitingAction>(
        _ action: Performed
    ) async throws -> Performed.Answer {
        try await action.perform(in: self)
    }
}
