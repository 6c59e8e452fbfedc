package import Bundles
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

    /// Erases what names a device, from the previous generation too.
    package func eraseFromInvitations(_ device: DeviceUDID) throws {
        _ = try change(.invitations, else: InvitationRegister()) { $0.forget(device) }
        // It may name the device where the present one has let go of it already.
        try backend.forgetPrevious(of: .invitations)
    }
}

extension DocumentName {
    static let invitations = DocumentName(known: "invitations.json")
}
