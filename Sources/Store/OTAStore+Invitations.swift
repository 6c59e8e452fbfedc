import Bundles
package import Enrolment
package import Identifiers
package import Releases

extension OTAStore {
    package func invitations() throws(StoreFailure) -> InvitationRegister {
        try value(InvitationRegister.self, .invitations) ?? InvitationRegister()
    }

    /// Changes the register of invitations; `recording` is as in ``change(_:else:_:recording:)``.
    ///
    /// - Throws: the errors of `change`, and ``StoreFailure``.
    @discardableResult
    package func changeInvitations(
        _ change: (inout InvitationRegister) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> InvitationRegister {
        try self.change(.invitations, else: InvitationRegister(), change, recording: recording)
            .value
    }

    /// Makes invitations usable again whose device was never added to the register.
    ///
    /// If a server ends between writing the two documents, a tester has a used invitation but no device.
    /// Called only while a server starts, before any device enrols.
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

    /// Erases everything that identifies a device, including from the previous generation.
    package func eraseFromInvitations(_ device: DeviceUDID) throws {
        _ = try change(.invitations, else: InvitationRegister()) { $0.forget(device) }
        // The previous generation may still contain the device even if the current one no longer does.
        try backend.forgetPrevious(of: .invitations)
    }
}

extension DocumentName {
    static let invitations = DocumentName(known: "invitations.json")
}
