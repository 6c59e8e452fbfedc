import Bytes
import Cryptography
import PropertyLists

import Essentials

/// The second form of a profile: a SET of keys and values, with digests in place of the certificates.
struct EncodedProfile {
    private let values: [String: DERValue]

    init(reading content: [UInt8]) throws(MalformedBytes) {
        let whole = try DERValue(reading: content, "encoded profile")
        guard content.first == 0x31, case .dictionary(let entries) = whole else {
            throw MalformedBytes("encoded profile", at: 0, .unexpected(found: "no SET"))
        }
        values = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) })
    }

    /// The keys whose values differ between the two forms of a profile, sorted; an entitlement is
    /// `Entitlements.key`.
    ///
    /// Keys that only one form has count if they affect installation: Apple writes a few others only to
    /// the second form.
    /// others into the second form only.
    func differences(from content: PropertyList) -> [String] {
        let own = content.dictionary ?? [:]
        return Set(own.keys).union(values.keys).subtracting([Self.key]).sorted().flatMap { key in
            switch (own[key], values[key]) {
            case (let list?, .dictionary(let entries)?) where key == "Entitlements",
                (let list?, .versioned(_, let entries)?) where key == "Entitlements":
                list.differences(from: entries).map { "Entitlements.\($0)" }
            case (let list?, let value?):
                Self.agrees(list, value, of: key) ? [] : [key]
            default: Self.deciding.contains(key) ? [key] : []
            }
        }
    }

    /// The key of the second form in the first.
    static let key = "DER-Encoded-Profile"

    private static let deciding: Set = [
        "DeveloperCertificates", "Entitlements", "ExpirationDate", "ProvisionedDevices",
        "ProvisionsAllDevices",
    ]

    private static func agrees(_ list: PropertyList, _ value: DERValue, of key: String) -> Bool {
        switch (list, value) {
        case (.date(let date), .unknown(let tag, let content)):
            return DERBytes.time(date) == DERBytes.element(tag, content)
        case (.array(let items), .array(let values)) where key == "DeveloperCertificates":
            let digests = items.map { item in
                item.data.map { DERValue.data(DigestAlgorithm.sha256.digest(of: $0)) }
            }
            return Set(digests) == Set(values.map(Optional.some))
        case (.array, .array(let values)):
            guard let texts = list.strings else { return list.isSame(as: value) }
            let others = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
            return others.count == values.count && texts.sorted() == others.sorted()
        default:
            return list.isSame(as: value)
        }
    }
}
