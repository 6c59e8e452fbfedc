package import APIDocuments
package import Enrolment
package import Foundation
package import Releases
import Store

/// An invitation with the secrets that are shown only once.
package struct SentInvitation: Sendable {
    package let issued: IssuedInvitation
    /// The link for the tester.
    package let url: String
    /// The page on which the code is typed.
    package let codeURL: String
    package let date: Date
}

extension Administrator {
    /// Invites a tester to enrol one device, or as many testers as the invitation has places.
    ///
    /// - Throws: ``GroupRefusal``, ``AdministrationRefusal/noBaseURL``, ``InvitationRefusal``,
    ///   ``StoreFailure``.
    package func invite(_ new: NewInvitation) throws -> SentInvitation {
        guard let base = try store.settings().baseURL else { throw AdministrationRefusal.noBaseURL }
        return try invite(new, links: Links(base: base))
    }

    /// Invites a tester, with the links of a server that knows its own URL.
    package func invite(_ new: NewInvitation, links: Links) throws -> SentInvitation {
        let invited = try new.app.map { try app(named: $0) }
        let draft = InvitationDraft(
            name: new.name,
            app: invited?.bundleIdentifier,
            validity: new.validity,
            by: name,
            uses: new.uses,
            groups: new.groups?.names ?? [],
        )
        try check(groups: draft.groups)
        if let invited, !invited.isOpen(toMembersOf: draft.groups) {
            throw GroupRefusal.outsideApp(invited.title, invited.namedGroups.sorted())
        }
        let now = clock()
        var issued: IssuedInvitation?
        try store.changeInvitations { register in
            var generator = SystemRandomNumberGenerator()
            issued = try register.invite(draft, at: now, using: &generator)
        } recording: {
            [activity(.deviceInvited, new.name, at: now)]
        }
        guard let issued else { throw InvitationRefusal.unknown }
        return SentInvitation(
            issued: issued,
            url: links.invitation(issued.token.text),
            codeURL: links.enrol,
            date: now,
        )
    }

    /// Revokes an open invitation.
    @discardableResult
    package func revokeInvitation(_ identifier: InvitationIdentifier) throws -> Invitation {
        let now = clock()
        var revoked: Invitation?
        try store.changeInvitations { register in
            revoked = try register.revoke(identifier, by: name, at: now)
        } recording: {
            revoked.map { [activity(.invitationRevoked, $0.name, at: now)] } ?? []
        }
        guard let revoked else { throw InvitationRefusal.unknown }
        return revoked
    }
}
