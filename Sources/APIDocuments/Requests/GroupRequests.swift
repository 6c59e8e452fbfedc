package import Identifiers
package import Releases

/// A group to create.
package struct NewGroup: Codable, Sendable, Equatable {
    package let name: GroupName

    private enum CodingKeys: String, CodingKey {
        case name = "group"
    }

    package init(name: GroupName) {
        self.name = name
    }
}

/// Devices of one request, by reference: those that join or leave a group, or are disabled together.
package struct MembershipRequest: Codable, Sendable, Equatable {
    /// How many one request may name.
    package static let most = 500

    package let devices: [String]

    package init(devices: [String]) {
        self.devices = devices
    }
}

/// Devices that take slots in a further team, by reference.
package struct TeamMembershipRequest: Codable, Sendable, Equatable {
    package let devices: [String]
    package let team: TeamIdentifier

    package init(devices: [String], team: TeamIdentifier) {
        self.devices = devices
        self.team = team
    }
}

/// Who may see a channel from now on.
package struct ChannelAccessRequest: Codable, Sendable, Equatable {
    package let access: AppRecord.ChannelAccess

    package init(access: AppRecord.ChannelAccess) {
        self.access = access
    }
}
