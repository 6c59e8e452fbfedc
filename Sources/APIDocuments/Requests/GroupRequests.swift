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

/// Devices that join or leave a group, by reference.
package struct MembershipRequest: Codable, Sendable, Equatable {
    /// How many one request may name.
    package static let most = 500

    package let devices: [String]

    package init(devices: [String]) {
        self.devices = devices
    }
}

/// Who may see a channel from now on.
package struct ChannelAccessRequest: Codable, Sendable, Equatable {
    package let access: AppRecord.ChannelAccess

    package init(access: AppRecord.ChannelAccess) {
        self.access = access
    }
}
