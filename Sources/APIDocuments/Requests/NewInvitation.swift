import Enrolment
package import Foundation
package import Releases

/// An invitation to create.
package struct NewInvitation: Codable, Sendable, Equatable {
    /// Becomes the device's name; for an invitation for several devices it is only the invitation's name.
    package let name: String
    /// A bundle identifier or slug.
    package var app: String?
    /// How long the link is valid, in seconds.
    package var validity: TimeInterval
    /// The number of devices that may use it.
    package var uses: Int
    /// The groups that its devices join; nil for none.
    package var groups: GroupNames?

    private enum CodingKeys: String, CodingKey {
        case name, app, uses, groups
        case validity = "validSeconds"
    }

    package init(
        name: String,
        app: String? = nil,
        validity: TimeInterval = InvitationDraft.usualValidity,
        uses: Int = 1,
        groups: GroupNames? = nil,
    ) {
        self.name = name
        self.uses = uses
        self.groups = groups
        self.app = app
        self.validity = validity
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        app = try values.decodeIfPresent(String.self, forKey: .app)
        validity =
            try values.decodeIfPresent(TimeInterval.self, forKey: .validity)
            ?? InvitationDraft.usualValidity
        uses = try values.decodeIfPresent(Int.self, forKey: .uses) ?? 1
        groups = try values.decodeIfPresent(GroupNames.self, forKey: .groups)
    }
}
