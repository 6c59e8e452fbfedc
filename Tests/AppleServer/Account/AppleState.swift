import Cryptography
import Foundation
import Sample

/// The account of one team on this server.
struct AppleState {
    struct Device {
        let id: String
        var name: String
        let udid: String
        var deviceClass: String
        var status: String
        let added: Date
    }

    struct BundleID {
        let id: String
        let name: String
        let identifier: String
        var capabilities: [Capability] = []
        /// When its capabilities last changed, which invalidates earlier profiles.
        var changed: Date
    }

    struct Capability {
        let id: String
        let type: String
        /// The values that were assigned to it, such as app groups.
        var values: [String] = []
    }

    struct IssuedCertificate {
        let id: String
        let type: String
        let certificate: Certificate
    }

    struct Profile {
        let id: String
        let name: String
        let uuid: String
        let bundleID: String
        let certificate: String
        let devices: [String]
        let created: Date
        let expires: Date
        let content: [UInt8]
        var isInvalid = false
    }

    var devices: [Device] = []
    var bundleIDs: [BundleID] = []
    var certificates: [IssuedCertificate] = []
    var profiles: [Profile] = []

    /// The maximum number of devices of each class.
    var deviceLimit = 100
    var certificateLimit = 3
    /// The initial status of a device.
    var newDeviceStatus = "ENABLED"
    /// The classes that devices turn out to have, by identifier; iPhone otherwise.
    var classes: [String: String] = [:]
    /// Bundle identifiers that are taken by other teams.
    var takenIdentifiers: Set<String> = []
    /// Apple's time, if a test has set it.
    var clock: Date?
    /// How many seconds Apple's clock is ahead of this machine's.
    var clockOffset = 0.0
    var profileDays = 365.0
    var certificateDays = 365.0
    var isKeyRevoked = false
    /// Whether the key's role permits changes.
    var mayChange = true
    var rateLimit = 3500
    var rateRemaining = 3500
    /// When the current hour began, in which requests are counted.
    private var hour: Date?
    private var lastNumber = 0

    var now: Date { (clock ?? Date()).addingTimeInterval(clockOffset) }

    /// Returns ten capital letters and digits, the form of Apple's identifiers.
    mutating func makeID() -> String {
        lastNumber += 1
        let digits = String(lastNumber, radix: 36, uppercase: true)
        return "T" + String(repeating: "0", count: 9 - digits.count) + digits
    }

    /// Counts a request of the current hour.
    mutating func countRequest() {
        if let hour, now.timeIntervalSince(hour) < 3600 {
            rateRemaining = max(0, rateRemaining - 1)
        } else {
            // The very first request keeps the remaining number that an order has set.
            rateRemaining = max(0, (hour == nil ? rateRemaining : rateLimit) - 1)
            hour = now
        }
    }

    func hasDevice(_ udid: String) -> Bool {
        devices.contains { $0.udid.lowercased() == udid.lowercased() }
    }

    /// Revokes a certificate, and invalidates the profiles that list it.
    mutating func revoke(certificate id: String) {
        certificates.removeAll { $0.id == id }
        for index in profiles.indices where profiles[index].certificate == id {
            profiles[index].isInvalid = true
        }
    }

    /// Removes a device, as on the website once a year, and invalidates the profiles that list it.
    mutating func remove(device id: String) {
        devices.removeAll { $0.id == id }
        for index in profiles.indices where profiles[index].devices.contains(id) {
            profiles[index].isInvalid = true
        }
    }

    func profileState(_ profile: Profile) -> String {
        if profile.expires <= now { return "EXPIRED" }
        return profile.isInvalid ? "INVALID" : "ACTIVE"
    }
}
