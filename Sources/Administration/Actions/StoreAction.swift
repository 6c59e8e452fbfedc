package import APIDocuments

/// An action that this target performs: a ``StoreAction`` or a ``WaitingAction``.
package protocol PerformedAction: Action {
    /// Has a visitor make something of this action, by the protocol with which it is performed.
    ///
    /// A cast to each of these protocols would do the same, but for each action it searches all conformances
    /// in the program, which took a fifth of the time in which a server starts.
    static func accept<Visitor: ActionVisitor>(_ visitor: Visitor) -> Visitor.Made
}

/// Makes something of an action, depending on how it is performed.
package protocol ActionVisitor {
    associatedtype Made

    func stored<Performed: StoreAction>(_ action: Performed.Type) -> Made
    func versioned<Performed: VersionedAction>(_ action: Performed.Type) -> Made
    func waiting<Performed: WaitingAction>(_ action: Performed.Type) -> Made
}

/// An action on a store: it checks its input, changes the store, records the change in the activity, and
/// returns a document.
package protocol StoreAction: PerformedAction {
    /// Performs the action. It may block on the disk.
    func perform(in administration: LocalAdministration) throws -> Answer
}

extension StoreAction {
    package static func accept<Visitor: ActionVisitor>(_ visitor: Visitor) -> Visitor.Made {
        visitor.stored(Self.self)
    }
}

/// An action on a resource that may have changed since the client read it.
package protocol VersionedAction: StoreAction {
    /// The stored state of the resource, from which its version is computed.
    associatedtype Record: Encodable

    /// Performs the action.
    ///
    /// - Parameters:
    ///   - administration: the store.
    ///   - isExpected: whether the stored state is the one that the client expects; an action that only
    ///     shows something does not call it.
    /// - Returns: the answer, and the current stored state.
    /// - Throws: ``AdministrationRefusal/changedMeanwhile(_:)`` if the stored state is not as expected.
    func perform(
        in administration: LocalAdministration,
        if isExpected: (Record) throws -> Bool,
    ) throws -> (answer: Answer, record: Record)
}

extension VersionedAction {
    package static func accept<Visitor: ActionVisitor>(_ visitor: Visitor) -> Visitor.Made {
        visitor.versioned(Self.self)
    }

    package func perform(in administration: LocalAdministration) throws -> Answer {
        try perform(in: administration) { _ in true }.answer
    }
}

/// An action that waits for another server, such as a webhook's receiver.
package protocol WaitingAction: PerformedAction {
    /// Performs the action, and returns when the other server has answered.
    func perform(in administration: LocalAdministration) async throws -> Answer
}

extension WaitingAction {
    package static func accept<Visitor: ActionVisitor>(_ visitor: Visitor) -> Visitor.Made {
        visitor.waiting(Self.self)
    }
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
