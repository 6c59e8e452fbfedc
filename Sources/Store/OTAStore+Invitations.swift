package import Enrolment

extension OTAStore {
    package func invitations() throws(StoreFailure) -> InvitationRegister {
        try value(InvitationRegister.self, .invitations) ?? InvitationRegister()
    }

    /// Changes the register of invitations.
    ///
    /// - Throws: what `change` throws, and ``StoreFailure``.
    @discardableResult
    package func changeInvitations(
        _ change: (inout InvitationRegister) throws -> Void
    ) throws -> InvitationRegister {
        try self.change(.invitations, else: InvitationRegister(), change).value
    }
}

extension DocumentName {
    static let invitations = DocumentName(known: "invitations.json")
}
