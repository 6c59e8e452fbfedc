import Bundles
import Identifiers

/// A finding as JSON for scripts: every key there, devices as a number.
package struct FindingDocument: Codable, Equatable, Sendable {
    package let id: String
    private let severity: Severity
    private let place: String
    package let message: String
    private let fix: String
    @OrNull private var appleCode: String?
    /// What a phone shows, or what happens there instead.
    @OrNull private var phone: String?
    /// The version of iOS from which on it blocks, where it does not block everywhere.
    @OrNull private var blocksFrom: String?
    @OrNull package var devices: Int?
    /// Absent unless asked for.
    private let deviceIdentifiers: [DeviceUDID]?

    /// The same for those who reckon with it; how many devices it concerns stays behind.
    package var finding: Finding {
        Finding(
            id: id,
            severity: severity,
            place: place,
            message: message,
            fix: fix,
            appleCode: appleCode,
            devices: deviceIdentifiers,
            blocksFrom: blocksFrom.flatMap { OSVersion($0) },
        )
    }

    /// With `udids` it names the devices that it concerns, not only how many they are.
    package init(_ finding: Finding, udids: Bool = false) {
        id = finding.id
        severity = finding.severity
        place = finding.place
        message = finding.message
        fix = finding.fix
        appleCode = finding.appleCode
        phone = finding.phone?.sentence
        blocksFrom = finding.blocksFrom?.description
        devices = finding.devices?.count
        deviceIdentifiers = udids ? finding.devices : nil
    }

    /// A finding of single devices with how many they are.
    package init(_ finding: Finding, count: Int) {
        self.init(finding)
        devices = count
    }
}
