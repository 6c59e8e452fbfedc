import Enrolment
package import Foundation

/// Whom to invite, and for what.
package struct NewInvitation: Codable, Sendable, Equatable {
    /// Becomes the device's name.
    package let name: String
    /// Bundle identifier or slug.
    package var app: String?
    /// How long the link lasts, in seconds.
    package var validity: TimeInterval

    private enum CodingKeys: String, CodingKey {
        case name, app
        case validity = "validSeconds"
    }

    package init(
        name: String,
        app: String? = nil,
        validity: TimeInterval = InvitationDraft.usualValidity,
    ) {
        self.name = name
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
    }
}
