import Cryptography
import Identifiers
package import PropertyLists

extension ProvisioningProfile {
    /// Reads the property list inside a profile (ipa-facts: keys of all known profiles).
    ///
    /// - Throws: ``ProfileRefusal/missing(_:)`` for a missing key that every profile has.
    package init(
        content: PropertyList,
        trust: ProfileTrust,
        secondForm: SecondProfileForm = .notJudged,
    ) throws(ProfileRefusal) {
        func required<Value>(
            _ key: String,
            _ read: (PropertyList) -> Value?,
        ) throws(ProfileRefusal) -> Value {
            guard let value = content[key].flatMap(read) else { throw .missing(key) }
            return value
        }
        guard content.dictionary != nil else { throw .notAProfile("holds no dictionary") }
        name = try required("Name", \.shortString)
        uuid = try required("UUID", \.shortString)
        created = try required("CreationDate", \.date)
        expires = try required("ExpirationDate", \.date)
        entitlements = .dictionary(try required("Entitlements", \.dictionary))
        teamName = content["TeamName"]?.shortString
        teamIdentifiers = Self.texts(content["TeamIdentifier"])
        applicationIdentifierPrefixes = Self.texts(content["ApplicationIdentifierPrefix"])
        platforms = Self.texts(content["Platform"])
        isXcodeManaged = content["IsXcodeManaged"]?.boolean ?? false
        isOfFreeAccount = content["LocalProvision"]?.boolean ?? false
        isCheckedOnline = content["PPQCheck"]?.boolean ?? false
        isTestFlight = entitlements["beta-reports-active"]?.boolean ?? false

        let listed = content["ProvisionedDevices"]?.array
        devices = listed.map { $0.compactMap { $0.string.flatMap { DeviceUDID($0) } } }
        unreadableDevices = (listed?.count ?? 0) - (devices?.count ?? 0)
        let encoded = content["DeveloperCertificates"]?.array ?? []
        certificates = encoded.compactMap { $0.data.flatMap { try? Certificate(der: $0) } }
        unreadableCertificates = encoded.count - certificates.count
        kind = ProfileKind(
            provisionsAllDevices: content["ProvisionsAllDevices"]?.boolean ?? false,
            listsDevices: listed != nil,
            getTaskAllow: entitlements["get-task-allow"]?.boolean ?? false,
        )
        self.trust = trust
        self.secondForm = secondForm
    }

    private static func texts(_ value: PropertyList?) -> [String] {
        (value?.array ?? []).prefix(32).compactMap(\.shortString)
    }
}
