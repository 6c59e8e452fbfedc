package import APIDocuments

/// An action that this target performs: a ``StoreAction`` or a ``WaitingAction``.
package protocol PerformedAction: Action {}

/// An action as a store does it: it checks what it was given, changes the store, records what
/// happened in the activity, and answers with a document.
package protocol StoreAction: PerformedAction {
    /// Does the action. It may wait for the disk.
    func perform(in administration: LocalAdministration) throws -> Answer
}

/// An action on a resource that may change between the client's reading it and the action.
package protocol VersionedAction: StoreAction {
    /// The stored state of the resource, from which its version is made.
    associatedtype Record: Encodable

    /// Does the action.
    ///
    /// - Parameters:
    ///   - administration: the store.
    ///   - isExpected: whether a change may be made to what is stored now; an action that only
    ///     shows something does not ask.
    /// - Returns: the answer, and what is stored now.
    /// - Throws: ``AdministrationRefusal/changedMeanwhile(_:)`` where a change may not be made.
    func perform(
        in administration: LocalAdministration,
        if isExpected: (Record) throws -> Bool,
    ) throws -> (answer: Answer, record: Record)
}

extension VersionedAction {
    package func perform(in administration: LocalAdministration) throws -> Answer {
        try perform(in: administration) { _ in true }.answer
    }
}

/// An action that waits for another server, such as the receiver of a webhook.
package protocol WaitingAction: PerformedAction {
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
