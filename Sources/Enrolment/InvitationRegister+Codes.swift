package import Essentials

/// An invitation whose code was exchanged for a new link token.
package struct RedeemedInvitation: Sendable {
    package let invitation: Invitation
    package let token: LinkToken
}

extension InvitationRegister {
    /// Exchanges a code for a new link token, because the register does not store the first one.
    ///
    /// Every valid code is compared, even after a match. The caller must first count the attempt with
    /// ``CodeAttempts``.
    package mutating func redeem(
        _ code: InvitationCode,
        at date: Date,
        using generator: inout some RandomNumberGenerator,
    ) throws(InvitationRefusal) -> RedeemedInvitation {
        guard let index = liveCodes(at: date).filter({ $0.trace.isOf(code) }).first?.index else {
            throw .wrongCode
        }
        let token = LinkToken(using: &generator)
        invitations[index].code = nil
        // An earlier token exchanged for a code becomes invalid.
        invitations[index].tokens = invitations[index].tokens.prefix(1) + [token.digest]
        if invitations[index].opened == nil { invitations[index].opened = date }
        return RedeemedInvitation(invitation: invitations[index], token: token)
    }

    /// Returns a new code for an open invitation, whose earlier code becomes invalid.
    package mutating func renewCode(
        of identifier: InvitationIdentifier,
        at date: Date,
        using generator: inout some RandomNumberGenerator,
    ) throws(InvitationRefusal) -> InvitationCode {
        let index = try index(of: identifier)
        try invitations[index].checkOpen(at: date)
        let code = freshCode(at: date, using: &generator)
        invitations[index].code = InvitationCode.Trace(of: code, at: date, using: &generator)
        return code
    }

    /// Returns a code that no open invitation has, so that a code identifies one invitation.
    func freshCode(
        at date: Date,
        using generator: inout some RandomNumberGenerator,
    ) -> InvitationCode {
        let taken = liveCodes(at: date).map(\.trace)
        var code = InvitationCode(using: &generator)
        while taken.contains(where: { $0.isOf(code) }) { code = InvitationCode(using: &generator) }
        return code
    }

    private func liveCodes(at date: Date) -> [(index: Int, trace: InvitationCode.Trace)] {
        invitations.indices.compactMap { index in
            guard let trace = invitations[index].code, date < trace.expires,
                invitations[index].state(at: date) == .open
            else { return nil }
            return (index, trace)
        }
    }
}
