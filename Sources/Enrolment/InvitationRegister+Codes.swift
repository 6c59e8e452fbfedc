package import Essentials

/// A typed code, changed into a link of its own.
package struct RedeemedInvitation: Sendable {
    package let invitation: Invitation
    package let token: LinkToken
}

extension InvitationRegister {
    /// Changes a code into a link, for the register cannot give the first link again.
    ///
    /// Every live code is compared, whichever matches. The caller counts attempts with
    /// ``CodeAttempts`` before it asks.
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
        // The link of someone who typed a code and has not finished yet ends with a later code.
        invitations[index].tokens = invitations[index].tokens.prefix(1) + [token.digest]
        if invitations[index].opened == nil { invitations[index].opened = date }
        return RedeemedInvitation(invitation: invitations[index], token: token)
    }

    /// A new code for an open invitation; the former one is no good from then on.
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

    /// A code that no open invitation has, so that a typed one means a single invitation.
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
