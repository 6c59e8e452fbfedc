import Bytes
import Essentials
import MachOFormat
package import PropertyLists

/// The entitlements of code in their XML and DER forms.
package struct EntitlementEvidence: Sendable {
    /// The size of both forms in bytes.
    let size: Int
    /// The XML form; nil when it is absent or malformed.
    package let claimed: PropertyList?
    /// Why the XML form cannot be read.
    package let fault: String?
    package let hasDER: Bool
    /// The entitlements in the DER form; nil when it is unreadable or equals the XML form.
    package let encoded: PropertyList?
    /// Why the DER form cannot be read.
    package let derFault: String?
    /// How the readable DER form differs from what Apple's encoder writes.
    package let derIrregularity: String?
    /// The keys whose values differ between the forms, sorted; empty unless both are readable.
    package let differences: [String]

    /// Nil when there is neither form.
    init?(_ signature: CodeSignature) {
        let xml = signature.entitlements
        let der = signature.derEntitlements
        guard xml != nil || der != nil else { return nil }
        size = (xml?.count ?? 0) + (der?.count ?? 0)
        hasDER = der != nil
        var claims: PropertyList?
        var fault: String?
        do throws(MalformedPropertyList) {
            claims = try xml.map { bytes throws(MalformedPropertyList) in
                try PropertyList(reading: bytes, limits: .entitlements)
            }
        } catch {
            fault = "\(error)"
        }
        if let claims, claims.dictionary == nil { fault = "entitlements are not a dictionary" }
        var encoded: DEREntitlements?
        var derFault: String?
        do throws(MalformedBytes) {
            encoded = try der.map { bytes throws(MalformedBytes) in
                try DEREntitlements(reading: bytes)
            }
        } catch {
            derFault = "\(error)"
        }
        if fault != nil { claims = nil }
        claimed = claims
        self.fault = fault
        self.derFault = derFault
        derIrregularity = encoded.flatMap(Self.irregularity)
        differences = encoded.flatMap { claims?.differences(from: $0.entries) } ?? []
        let isSame = claims != nil && differences.isEmpty
        let isKept =
            !isSame && der.map { $0.count <= PropertyList.Limits.entitlements.bytes } ?? false
        self.encoded = isKept ? encoded.map { PropertyList($0.entries) } : nil
    }
}

extension EntitlementEvidence {
    /// Xcode 12's form, a SET without a version, is sorted by its encoding.
    private static func irregularity(of entitlements: DEREntitlements) -> String? {
        guard let version = entitlements.version else { return nil }
        if version != 1 { return "are of version \(version)" }
        return entitlements.isSorted ? nil : "do not have their keys in order"
    }
}

extension PropertyList.Limits {
    /// Real entitlements stay below 10 KiB.
    fileprivate static let entitlements = PropertyList.Limits(
        bytes: 256 << 10,
        depth: 32,
        objects: 10_000,
        content: 512 << 10,
    )
}
