package import APIDocuments
import Bundles
import Enrolment
import Foundation
import Inspection
import Releases
import Store

extension Actions {
    static let team: [any PerformedAction.Type] = [
        ListInvitations.self, InviteTester.self, RevokeInvitation.self, ListProfiles.self,
        AddProfile.self, ListExpiringProfiles.self, ShowProfile.self,
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

extension ListProfiles: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ProfilesDocument {
        let profiles = try administration.admin.store.profiles().byExpiry
        return ProfilesDocument(profiles: profiles.map(ProfileEntry.init))
    }
}

extension AddProfile: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ProfilesDocument {
        let admin = administration.admin
        let envelope = ProfileEnvelope(bytes: Array(content.profile), place: file ?? "profile")
        let profile = try envelope.judged(against: administration.anchors, at: admin.clock())
        let record = try admin.addProfile(ProfileSummary(profile))
        return ProfilesDocument(profiles: [ProfileEntry(record)])
    }
}

extension ListExpiringProfiles: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ProfilesDocument {
        let admin = administration.admin
        let end = admin.clock().addingTimeInterval(TimeInterval(within))
        return ProfilesDocument(
            profiles: try admin.profilesExpiring(until: end).map(ProfileEntry.init),
            items: try admin.profileItemsExpiring(until: end).map(ExpiryItemDocument.init),
        )
    }
}

extension ShowProfile: StoreAction {
    package func perform(
        in administration: LocalAdministration
    ) throws -> RegisteredProfileDocument {
        RegisteredProfileDocument(
            profile: ProfileEntry(try administration.admin.profile(named: profile))
        )
    }
}
