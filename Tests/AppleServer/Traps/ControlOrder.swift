import Cryptography
import Foundation
import Sample

/// A test's order to the server: traps, and changes that people make on Apple's website.
struct ControlOrder: Decodable {
    struct DeviceOrder: Decodable {
        let udid: String
        /// Registers the device under this name if it is missing.
        var name: String?
        var status: String?
        var deviceClass: String?
        var isRemoved: Bool?
    }

    /// A capability of an App ID, as people enable and configure it.
    struct CapabilityOrder: Decodable {
        let bundleID: String
        let type: String
        var values: [String]?
    }

    /// Removes the remaining traps.
    var clearsTraps: Bool?
    var traps: [Trap]?
    var devices: [DeviceOrder]?
    /// App IDs to register.
    var bundleIDs: [String]?
    /// Enabled after the App IDs have been registered; existing profiles become invalid.
    var capabilities: [CapabilityOrder]?
    /// App IDs that are taken by other teams.
    var takenIdentifiers: [String]?
    /// The number of distribution certificates to issue to another owner.
    var foreignCertificates: Int?
    /// Serial numbers or identifiers of certificates to revoke.
    var revokedCertificates: [String]?
    /// Profiles to create by hand: name and App ID.
    var foreignProfiles: [[String]]?
    var deviceLimit: Int?
    var certificateLimit: Int?
    var newDeviceStatus: String?
    /// Whether everything that is being processed becomes finished.
    var finishesProcessing: Bool?
    /// Stops Apple's clock at this time, in seconds since 1970.
    var clock: Double?
    var clockOffset: Double?
    var profileDays: Double?
    var certificateDays: Double?
    var isKeyRevoked: Bool?
    var mayChange: Bool?
    var rateRemaining: Int?

    func apply(to state: inout AppleState, under authority: SigningAuthority) throws {
        applySettings(to: &state)
        for order in devices ?? [] { Self.apply(order, to: &state) }
        for identifier in bundleIDs ?? [] {
            state.bundleIDs.append(
                AppleState.BundleID(
                    id: state.makeID(),
                    name: identifier,
                    identifier: identifier,
                    changed: state.now,
                )
            )
        }
        for order in capabilities ?? [] {
            state.enable(order.type, assigning: order.values ?? [], of: order.bundleID)
        }
        for _ in 0..<max(0, foreignCertificates ?? 0) {
            let identity = try authority.identity(
                .distribution,
                from: state.now.addingTimeInterval(-60),
                until: state.now.addingDays(state.certificateDays),
            )
            state.certificates.append(
                AppleState.IssuedCertificate(
                    id: state.makeID(),
                    type: "DISTRIBUTION",
                    certificate: identity.certificate,
                )
            )
        }
        for name in revokedCertificates ?? [] {
            let found = state.certificates.first {
                $0.id == name || $0.certificate.serialNumber == name.lowercased()
            }
            if let found { state.revoke(certificate: found.id) }
        }
        for pair in foreignProfiles ?? [] where pair.count == 2 {
            state.profiles.append(
                AppleState.Profile(
                    id: state.makeID(),
                    name: pair[0],
                    uuid: UUID().uuidString.lowercased(),
                    bundleID: state.bundleIDs.first { $0.identifier == pair[1] }?.id ?? "",
                    certificate: state.certificates.first?.id ?? "",
                    devices: [],
                    created: state.now,
                    expires: state.now.addingDays(state.profileDays),
                    content: [],
                )
            )
        }
    }

    private func applySettings(to state: inout AppleState) {
        state.takenIdentifiers.formUnion(takenIdentifiers ?? [])
        state.deviceLimit = deviceLimit ?? state.deviceLimit
        state.certificateLimit = certificateLimit ?? state.certificateLimit
        state.newDeviceStatus = newDeviceStatus ?? state.newDeviceStatus
        state.clock = clock.map { Date(timeIntervalSince1970: $0) } ?? state.clock
        state.clockOffset = clockOffset ?? state.clockOffset
        state.profileDays = profileDays ?? state.profileDays
        state.certificateDays = certificateDays ?? state.certificateDays
        state.isKeyRevoked = isKeyRevoked ?? state.isKeyRevoked
        state.mayChange = mayChange ?? state.mayChange
        state.rateRemaining = rateRemaining ?? state.rateRemaining
        guard finishesProcessing == true else { return }
        for index in state.devices.indices where state.devices[index].status == "PROCESSING" {
            state.devices[index].status = "ENABLED"
        }
    }

    private static func apply(_ order: DeviceOrder, to state: inout AppleState) {
        let udid = order.udid.lowercased()
        if let deviceClass = order.deviceClass { state.classes[udid] = deviceClass }
        guard let index = state.devices.firstIndex(where: { $0.udid.lowercased() == udid }) else {
            guard let name = order.name else { return }
            state.devices.append(
                AppleState.Device(
                    id: state.makeID(),
                    name: name,
                    udid: order.udid,
                    deviceClass: order.deviceClass ?? "IPHONE",
                    status: order.status ?? "ENABLED",
                    added: state.now,
                )
            )
            return
        }
        if order.isRemoved == true {
            state.remove(device: state.devices[index].id)
            return
        }
        state.devices[index].name = order.name ?? state.devices[index].name
        state.devices[index].status = order.status ?? state.devices[index].status
        state.devices[index].deviceClass = order.deviceClass ?? state.devices[index].deviceClass
    }
}
