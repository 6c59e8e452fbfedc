import Bundles
package import Identifiers

/// One fact about an IPA that the admin should know before a tester taps Install.
package struct Finding: Codable, Equatable, Sendable {
    /// The identifier of its rule, such as `profile.expired`; stable across releases of `ota`.
    package let id: String
    package let severity: Severity
    /// A path in the archive, or words for a part of it.
    package let place: String
    /// One sentence with the actual values.
    package let message: String
    /// How to fix it, as an instruction.
    package let fix: String
    /// Apple's code for the cause, such as `0xe8008015`, where one is known.
    package let appleCode: String?
    /// The affected devices; nil for all.
    package internal(set) var devices: [DeviceUDID]?
    /// The first version of iOS on which it blocks, regardless of the severity; nil when the severity
    /// holds for all versions.
    package let blocksFrom: OSVersion?

    package init(
        id: String,
        severity: Severity,
        place: String,
        message: String,
        fix: String,
        appleCode: String? = nil,
        devices: [DeviceUDID]? = nil,
        blocksFrom: OSVersion? = nil,
    ) {
        self.id = id
        self.severity = severity
        self.place = place
        self.message = message
        self.fix = fix
        self.appleCode = appleCode
        self.devices = devices
        self.blocksFrom = blocksFrom
    }

    private enum CodingKeys: String, CodingKey {
        case id, severity, place, message, fix, appleCode, devices, blocksFrom
        /// The key of `fix` in reports that earlier versions have stored.
        case mend
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        severity = try values.decode(Severity.self, forKey: .severity)
        place = try values.decode(String.self, forKey: .place)
        message = try values.decode(String.self, forKey: .message)
        fix =
            try values.decodeIfPresent(String.self, forKey: .fix)
            ?? values.decode(String.self, forKey: .mend)
        appleCode = try values.decodeIfPresent(String.self, forKey: .appleCode)
        devices = try values.decodeIfPresent([DeviceUDID].self, forKey: .devices)
        blocksFrom = try values.decodeIfPresent(OSVersion.self, forKey: .blocksFrom)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(severity, forKey: .severity)
        try values.encode(place, forKey: .place)
        try values.encode(message, forKey: .message)
        try values.encode(fix, forKey: .fix)
        try values.encodeIfPresent(appleCode, forKey: .appleCode)
        try values.encodeIfPresent(devices, forKey: .devices)
        try values.encodeIfPresent(blocksFrom, forKey: .blocksFrom)
    }

    /// Whether it keeps every device from installing the build.
    package var blocksEveryDevice: Bool { severity == .blocks && devices == nil }
}
