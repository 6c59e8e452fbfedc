import Cryptography
import PropertyLists
import Signing

/// The second form of a profile: a SET of keys and values, with digests in place of certificates.
enum DERProfile {
    static func encoding(_ profile: PropertyList) throws -> [UInt8] {
        var elements: [[UInt8]] = []
        for (key, value) in profile.dictionary ?? [:] {
            elements.append(
                DERBytes.sequence(DERBytes.utf8String(key), try encoding(value, under: key))
            )
        }
        // Apple sorts by length before content, which is equivalent to DER order here.
        return DERBytes.set(of: elements)
    }

    private static func encoding(_ value: PropertyList, under key: String) throws -> [UInt8] {
        switch (key, value) {
        case ("Entitlements", _): return try EntitlementsDER.encoding(value)
        case ("DeveloperCertificates", .array(let certificates)):
            return DERBytes.sequence(
                of: certificates.map {
                    DERBytes.octetString(DigestAlgorithm.sha256.digest(of: $0.data ?? []))
                }
            )
        case (_, .date(let date)): return DERBytes.time(date)
        case (_, .string(let text)): return DERBytes.utf8String(text)
        case (_, .integer(let number)): return DERBytes.integer(UInt(number))
        case (_, .boolean(let flag)): return DERBytes.boolean(flag)
        case (_, .array(let items)):
            return DERBytes.sequence(of: try items.map { try encoding($0, under: key) })
        default: throw SampleFailure.entitlementNotEncodable(key: key)
        }
    }
}
