import Bundles
package import Enrolment
package import Identifiers
package import Releases

extension OTAStore {
    package func invitations() throws(StoreFailure) -> InvitationRegister {
        try value(InvitationRegister.self, .invitations) ?? InvitationRegister()
    }

    /// Changes the register of invitations; `recording` as in ``change(_:else:_:recording:)``.
    ///
    /// - Throws: what `change` throws, and ``StoreFailure``.
    @discardableResult
    package func changeInvitations(
        _ change: (inout InvitationRegister) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> InvitationRegister {
        try self.change(.invitations, else: InvitationRegister(), change, recording: recording)
            .value
    }

    /// Lets invitations be used again whose device never came into the register.
    ///
    /// A server that ends between the two documents leaves a tester with a link that is used up and
    /// no device. Only for a server that starts, before any device enrols.
    package func giveBackUnfinishedInvitations() throws {
        let register = try devices()
        let unfinished = try invitations().invitations.flatMap { invitation in
            invitation.uses.filter { register[$0.device] == nil }
                .map { (invitation.identifier, $0.device) }
        }
        guard !unfinished.isEmpty else { return }
        try changeInvitations { invitations in
            for (identifier, device) in unfinished {
                invitations.giveBack(identifier, from: device)
            }
        }
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
