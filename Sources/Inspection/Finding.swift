package import Bundles

/// One fact about an IPA that somebody should know before the tap on Install.
package struct Finding: Codable, Equatable, Sendable {
    /// The rule that found it, such as `profile.expired`; stable across releases of `ota`.
    package let id: String
    package let severity: Severity
    /// The path inside the archive, or what of the archive is meant.
    package let place: String
    /// One sentence that names the actual values.
    package let message: String
    /// What to do about it, as an instruction.
    package let mend: String
    /// Apple's code for this cause, where one is known, such as `0xe8008015`.
    package let appleCode: String?
    /// The devices that it concerns; nil for every device.
    package let devices: [DeviceUDID]?
    /// The version of iOS from which on it blocks, whatever the severity says; nil when the severity
    /// is all there is to say.
    package let blocksFrom: OSVersion?

    package init(
        id: String,
        severity: Severity,
        place: String,
        message: String,
        mend: String,
        appleCode: String? = nil,
        devices: [DeviceUDID]? = nil,
        blocksFrom: OSVersion? = nil,
    ) {
        self.id = id
        self.severity = severity
        self.place = place
        self.message = message
        self.mend = mend
        self.appleCode = appleCode
        self.devices = devices
        self.blocksFrom = blocksFrom
    }

    /// Whether no device at all can install the build because of this.
    package var blocksEveryDevice: Bool { severity == .blocks && devices == nil }
}
