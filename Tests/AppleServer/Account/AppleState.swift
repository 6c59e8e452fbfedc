import Cryptography
import Foundation
import Sample

/// The account of one team, as this server keeps it.
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
        /// When what it may do changed last, which makes earlier profiles invalid.
        var changed: Date
    }

    struct Capability {
        let id: String
        let type: String
        /// What people have assigned to it, such as app groups.
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

    /// Devices of each class that the team may have.
    var deviceLimit = 100
    var certificateLimit = 3
    /// What a device is at first.
    var newDeviceStatus = "ENABLED"
    /// Classes that devices turn out to be of, by identifier; iPhone otherwise.
    var classes: [String: String] = [:]
    /// Bundle identifiers that other teams have.
    var takenIdentifiers: Set<String> = []
    /// Apple's time, where a test decides it.
    var clock: Date?
    /// Seconds that Apple's clock is ahead of this machine's.
    var clockOffset = 0.0
    var profileDays = 365.0
    var certificateDays = 365.0
    var isKeyRevoked = false
    /// Whether the key's role lets it do anything but read.
    var mayChange = true
    var rateLimit = 3500
    var rateRemaining = 3500
    /// When the hour began in which requests are counted.
    private var hour: Date?
    private var lastNumber = 0

    var now: Date { (clock ?? Date()).addingTimeInterval(clockOffset) }

    /// Ten capital letters and digits, as Apple's identifiers are.
    mutating func makeID() -> String {
        lastNumber += 1
        let digits = String(lastNumber, radix: 36, uppercase: true)
        return "T" + String(repeating: "0", count: 9 - digits.count) + digits
    }

    /// One request fewer is left of the hour.
    mutating func countRequest() {
        if let hour, now.timeIntervalSince(hour) < 3600 {
            rateRemaining = max(0, rateRemaining - 1)
        } else {
            // The first request of all finds what an order has set.
            rateRemaining = max(0, (hour == nil ? rateRemaining : rateLimit) - 1)
            hour = now
        }
    }

    func hasDevice(_ udid: String) -> Bool {
        devices.contains { $0.udid.lowercased() == udid.lowercased() }
    }

    /// Ends a certificate, and with it the profiles that name it.
    mutating func revoke(certificate id: String) {
        certificates.removeAll { $0.id == id }
        for index in profiles.indices where profiles[index].certificate == id {
            profiles[index].isInvalid = true
        }
    }

    /// Removes a device as the website does once a year, and so ends the profiles that list it.
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
