import Bundles
import Bytes
package import Foundation
package import Identifiers
package import Releases

/// `PATCH …/releases/{release}`.
package struct NotesRequest: Codable, Sendable {
    /// Markdown.
    package let notes: String

    package init(notes: String) {
        self.notes = notes
    }
}

/// `POST …/withdraw`.
package struct WithdrawalRequest: Codable, Sendable {
    /// What testers read.
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

/// `POST …/promote`.
package struct PromotionRequest: Codable, Sendable {
    package let channel: ChannelName
    /// How long the channel lasts from now on; nil leaves its end as it is.
    package let expires: ChannelLife?

    package init(channel: ChannelName, expires: ChannelLife? = nil) {
        self.channel = channel
        self.expires = expires
    }
}

/// `POST …/prune`.
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

    /// Whether releases that stay, and were signed again, lose the IPA that was published.
    package var dropsOriginals: Bool { originals ?? false }

    package var isDryRun: Bool { dryRun ?? false }
}

/// `PATCH /devices/{reference}`.
package struct RenamingRequest: Codable, Sendable {
    /// Nil to leave it.
    package let name: String?
    /// To whose developer account it belongs, or to none that is named; nil to leave that.
    package let team: TeamChoice?
    /// Further teams that it joins, where it takes a slot too.
    package let addTeams: [TeamIdentifier]?
    /// Further teams that it leaves.
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

/// `POST /devices/approve`: references of devices, or all that wait.
package struct ApprovalRequest: Codable, Sendable {
    package let devices: [String]?
    package let all: Bool?

    /// Nil for all that wait.
    package init(devices: [String]?) {
        self.devices = devices
        all = devices == nil ? true : nil
    }
}

/// `POST /devices/lookup`: an identifier that must stand in no address.
package struct LookupRequest: Codable, Sendable {
    package let udid: DeviceUDID

    package init(udid: DeviceUDID) {
        self.udid = udid
    }
}

/// `PUT /slots`.
package struct RenewalRequest: Codable, Sendable {
    package let renews: Date
    /// Whose membership; nil for that of devices that name no team.
    package var team: TeamIdentifier?

    package init(renews: Date, team: TeamIdentifier? = nil) {
        self.renews = renews
        self.team = team
    }
}

/// `POST /profiles`: the bytes of a `.mobileprovision` file, in Base64.
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
