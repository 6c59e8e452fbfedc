import Bundles
import Bytes
package import Foundation
package import Identifiers
package import Releases

/// The body of `PATCH …/releases/{release}`.
package struct NotesRequest: Codable, Sendable {
    /// Markdown.
    package let notes: String

    package init(notes: String) {
        self.notes = notes
    }
}

/// The body of `POST …/withdraw`.
package struct WithdrawalRequest: Codable, Sendable {
    /// The reason shown to testers.
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

/// The body of `POST …/promote`.
package struct PromotionRequest: Codable, Sendable {
    package let channel: ChannelName
    /// How long the channel lasts from now on; nil leaves its end unchanged.
    package let expires: ChannelLife?

    package init(channel: ChannelName, expires: ChannelLife? = nil) {
        self.channel = channel
        self.expires = expires
    }
}

/// The body of `POST …/prune`.
package struct PruneRequest: Codable, Sendable {
    package static let most = 100_000

    package let keep: Int
    private let dryRun: Bool?
    private let originals: Bool?

    package init(keep: Int, isDryRun: Bool, dropsOriginals: Bool = false) {
        self.keep = keep
        dryRun = isDryRun
        originals = dropsOriginals ? true : nil
    }

    /// Whether to remove the originally published IPA of releases that stay and were signed again.
    package var dropsOriginals: Bool { originals ?? false }

    package var isDryRun: Bool { dryRun ?? false }
}

/// The body of `PATCH /devices/{reference}`.
package struct RenamingRequest: Codable, Sendable {
    /// Nil leaves the name unchanged.
    package let name: String?
    /// The team to whose developer account it belongs, or none; nil leaves it unchanged.
    package let team: TeamChoice?
    /// Other teams that it joins, where it takes a slot too.
    package let addTeams: [TeamIdentifier]?
    /// Other teams that it leaves.
    package let removeTeams: [TeamIdentifier]?

    package init(name: String? = nil, team: TeamIdentifier? = nil) {
        self.init(name: name, choice: team.flatMap { TeamChoice($0.rawValue) })
    }

    package init(
        name: String? = nil,
        choice: TeamChoice?,
        adding: [TeamIdentifier] = [],
        removing: [TeamIdentifier] = [],
    ) {
        self.name = name
        team = choice
        addTeams = adding.isEmpty ? nil : adding
        removeTeams = removing.isEmpty ? nil : removing
    }
}

/// The body of `POST /devices/approve`: references of devices, or all pending devices.
package struct ApprovalRequest: Codable, Sendable {
    package let devices: [String]?
    package let all: Bool?

    /// Nil for all pending devices.
    package init(devices: [String]?) {
        self.devices = devices
        all = devices == nil ? true : nil
    }
}

/// The body of `POST /devices/lookup`: a UDID, which must not be in a URL.
package struct LookupRequest: Codable, Sendable {
    package let udid: DeviceUDID

    package init(udid: DeviceUDID) {
        self.udid = udid
    }
}

/// The body of `PUT /slots`.
package struct RenewalRequest: Codable, Sendable {
    package let renews: Date
    /// The team whose membership renews; nil for the devices without a team.
    package var team: TeamIdentifier?

    package init(renews: Date, team: TeamIdentifier? = nil) {
        self.renews = renews
        self.team = team
    }
}

/// The body of `POST /profiles`: the bytes of a `.mobileprovision` file in Base64.
package struct ProfileRequest: Codable, Sendable {
    package let profile: Data

    package init(profile: Data) {
        self.profile = profile
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let text = try values.decode(String.self, forKey: .profile)
        guard let bytes = Data(base64Encoded: text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [CodingKeys.profile],
                    debugDescription: "not base64",
                    underlyingError: WrongText(wanted: "the bytes of a profile in base64"),
                )
            )
        }
        profile = bytes
    }

    private enum CodingKeys: String, CodingKey {
        case profile
    }
}
