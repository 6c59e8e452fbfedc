package import APIDocuments
import Bundles
import Enrolment
import Foundation
import Inspection
import Releases
import Store

extension Actions {
    static let invitations: [any PerformedAction.Type] = [
        ListInvitations.self, InviteTester.self, RevokeInvitation.self,
    ]
}

extension ListInvitations: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> InvitationsDocument {
        let now = administration.admin.clock()
        let invitations = try administration.admin.store.invitations().invitations
            .filter { all || $0.state(at: now) == .open }
        return InvitationsDocument(invitations: invitations.map { InvitationEntry($0, at: now) })
    }
}

extension InviteTester: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> SentInvitationDocument {
        let admin = administration.admin
        let sent =
            try administration.links.map { try admin.invite(content, links: $0) }
            ?? admin.invite(content)
        return SentInvitationDocument(sent)
    }
}

extension RevokeInvitation: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> InvitationDocument {
        guard let identifier = InvitationIdentifier(invitation) else {
            throw InvitationRefusal.unknown
        }
        let admin = administration.admin
        let revoked = try admin.revokeInvitation(identifier)
        return InvitationDocument(invitation: InvitationEntry(revoked, at: admin.clock()))
    }
}
