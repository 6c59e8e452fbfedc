import Bundles
import Identifiers

/// A finding as JSON for scripts: every key is present, and devices are given as a count.
package struct FindingDocument: Codable, Equatable, Sendable {
    package let id: String
    private let severity: Severity
    private let place: String
    package let message: String
    private let fix: String
    @OrNull private var appleCode: String?
    /// What the phone shows, or what happens when it shows nothing.
    @OrNull private var phone: String?
    /// The first version of iOS on which it blocks, when it does not block on all of them.
    @OrNull private var blocksFrom: String?
    @OrNull package var devices: Int?
    /// Absent unless requested.
    private let deviceIdentifiers: [DeviceUDID]?

    /// The finding that this document describes; it has devices only if their UDIDs were included.
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

    /// With `udids`, also lists the UDIDs of the affected devices.
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

    /// A finding about individual devices, of which there are `count`.
    package init(_ finding: Finding, count: Int) {
        self.init(finding)
        devices = count
    }
}
