package import Enrolment
package import Foundation
import Bundles
import Identifiers
import Releases

/// An invitation in the API and in `--json`; its secrets are not stored.
package struct InvitationEntry: Codable, Equatable, Sendable {
    package let identifier: String
    package let name: String
    package let app: String?
    package let state: Invitation.State
    package let created: Date
    package let expires: Date
    package let opened: Date?
    /// The number of devices that may use it, and the number that have.
    package let uses, used: Int
    /// The groups that its devices join; absent for none.
    package let groups: [String]?

    package init(_ invitation: Invitation, at date: Date) {
        identifier = invitation.identifier.rawValue
        name = invitation.name
        app = invitation.app?.rawValue
        state = invitation.state(at: date)
        created = invitation.created
        expires = invitation.expires
        opened = invitation.opened
        uses = invitation.places
        used = invitation.usedPlaces
        groups = invitation.groups.isEmpty ? nil : invitation.groups.map(\.rawValue)
    }
}

/// `{"schema": 1, "invitation": {…}}`.
package struct InvitationDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let invitation: InvitationEntry

    package init(invitation: InvitationEntry) {
        self.invitation = invitation
    }
}

/// `{"schema": 1, "invitations": […]}`, oldest first.
package struct InvitationsDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let invitations: [InvitationEntry]

    package init(invitations: [InvitationEntry]) {
        self.invitations = invitations
    }
}

/// An invitation with its link and six-digit code, which are shown only once.
package struct SentInvitationDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let invitation: InvitationEntry
    package let url, codeURL, code: String
    /// The URL of a page to print; absent for an invitation for one device.
    package let posterURL: String?
    package let codeExpires: Date

    package init(
        invitation: InvitationEntry,
        url: String,
        codeURL: String,
        code: String,
        posterURL: String?,
        codeExpires: Date,
    ) {
        self.invitation = invitation
        self.url = url
        self.codeURL = codeURL
        self.code = code
        self.posterURL = posterURL
        self.codeExpires = codeExpires
    }

    /// The six digits for reading aloud: `123 456`.
    package var spacedCode: String { "\(code.prefix(3)) \(code.dropFirst(3))" }
}
