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

/// The references of devices that join or leave a group, or are disabled.
package struct MembershipRequest: Codable, Sendable, Equatable {
    /// The most devices in one request.
    package static let most = 500

    package let devices: [String]

    package init(devices: [String]) {
        self.devices = devices
    }
}

/// The references of devices that are added to another team, where they take slots.
package struct TeamMembershipRequest: Codable, Sendable, Equatable {
    package let devices: [String]
    package let team: TeamIdentifier

    package init(devices: [String], team: TeamIdentifier) {
        self.devices = devices
        self.team = team
    }
}

/// Sets who may see a channel.
package struct ChannelAccessRequest: Codable, Sendable, Equatable {
    package let access: AppRecord.ChannelAccess

    package init(access: AppRecord.ChannelAccess) {
        self.access = access
    }
}
