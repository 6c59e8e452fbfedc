import Access
import Foundation

/// Lists the open invitations, or all of the last 30 days.
package struct ListInvitations: Action {
    package typealias Answer = InvitationsDocument
    package static let route = ActionRoute(
        .get,
        "/invitations",
        .everywhere(.admin),
        query: [.flag("all")],
    )

    package let all: Bool

    package init(all: Bool) {
        self.all = all
    }
}

/// Invites a tester to enrol; only the response contains the link and the code.
package struct InviteTester: Action {
    package typealias Answer = SentInvitationDocument
    package static let route = ActionRoute(
        .post,
        "/invitations",
        .everywhere(.admin),
        success: .created,
    )

    package let content: NewInvitation

    package init(_ invitation: NewInvitation) {
        content = invitation
    }
}

/// Revokes an open invitation.
package struct RevokeInvitation: Action {
    package typealias Answer = InvitationDocument
    package static let route = ActionRoute(
        .delete,
        "/invitations/{invitation}",
        .everywhere(.admin),
    )

    package let invitation: String

    package init(_ identifier: String) {
        invitation = identifier
    }
}

/// Lists the profiles of published builds and those that admins added, in the order of their expiry.
package struct ListProfiles: Action {
    package typealias Answer = ProfilesDocument
    package static let route = ActionRoute(
        .get,
        "/profiles",
        .everywhere(.read),
        query: [
            .number("after", in: 0...1 << 40, else: 0),
            .number("limit", in: 1...pageSize, else: usualPage),
        ],
    )
    /// The most profiles on one page.
    package static let pageSize = 500

    /// The number of profiles on the previous pages; 0 for the first page.
    package let after: Int
    package let limit: Int

    package init(after: Int = 0, limit: Int = pageSize) {
        self.after = after
        self.limit = limit
    }
}

/// Tracks the expiry of a profile that no build uses yet.
package struct AddProfile: Action {
    package typealias Answer = ProfilesDocument
    package static let route = ActionRoute(
        .post,
        "/profiles",
        .everywhere(.admin),
        bodyLimit: 1 << 20,
        success: .created,
    )

    /// The file from which the bytes come, for error messages; it is not sent.
    package let file: String?
    package let content: ProfileRequest

    package init(_ bytes: [UInt8], from file: String) {
        self.file = file
        content = ProfileRequest(profile: Data(bytes))
    }
}

/// Lists the profiles in use that expire within a number of seconds, or whose certificate does.
package struct ListExpiringProfiles: Action {
    package typealias Answer = ProfilesDocument
    package static let route = ActionRoute(
        .get,
        "/profiles/expiring",
        .everywhere(.read),
        query: [.number("within", in: 0...10_000 * 86_400, else: 30 * 86_400)],
    )

    package let within: Int

    package init(withinSeconds seconds: Int) {
        within = seconds
    }
}

/// Shows a profile, given by its UUID or name.
package struct ShowProfile: Action {
    package typealias Answer = RegisteredProfileDocument
    package static let route = ActionRoute(.get, "/profiles/{profile}", .everywhere(.read))

    package let profile: String

    package init(_ profile: String) {
        self.profile = profile
    }
}

extension NewInvitation: ActionContent {
    package static var keys: Set<String> { ["name", "app", "validSeconds", "uses", "groups"] }
}

extension ProfileRequest: ActionContent {
    package static var keys: Set<String> { ["profile"] }
}
