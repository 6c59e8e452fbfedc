import Bytes
import Foundation
import MachOFormat
package import PropertyLists

/// The entitlements of code in both of their forms.
package struct EntitlementEvidence: Sendable {
    /// Bytes of the XML form.
    let size: Int
    /// The XML form; nil when it is absent or malformed.
    package let claimed: PropertyList?
    /// What is wrong with the XML form.
    package let fault: String?
    package let hasDER: Bool
    /// What is wrong with the DER form.
    package let derFault: String?
    /// Keys whose values are not the same in both forms, sorted; empty unless both can be read.
    package let differences: [String]

    /// Nil when there is neither form.
    init?(_ signature: CodeSignature) {
        let xml = signature.entitlements
        let der = signature.derEntitlements
        guard xml != nil || der != nil else { return nil }
        size = xml?.count ?? 0
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
        if let claims, claims.dictionary == nil { fault = "entitlements are no dictionary" }
        var encoded: DEREntitlements?
        var derFault: String?
        do throws(MalformedBytes) {
            encoded = try der.map { bytes throws(MalformedBytes) in
                try DEREntitlements(reading: bytes)
            }
        } catch {
            derFault = "\(error)"
        }
        claimed = fault == nil ? claims : nil
        self.fault = fault
        self.derFault = derFault
        differences = Self.differences(claimed?.dictionary, encoded?.entries)
    }

    private static func differences(
        _ claims: [String: PropertyList]?,
        _ encoded: [DEREntitlements.Entry]?,
    ) -> [String] {
        guard let claims, let encoded else { return [] }
        let granted = Dictionary(encoded.map { ($0.key, $0.value) }) { first, _ in first }
        return Set(claims.keys).union(granted.keys).filter { key in
            guard let claim = claims[key], let value = granted[key] else { return true }
            return !claim.isSame(as: value)
        }.sorted()
    }
}

extension PropertyList {
    /// Whether a value of the DER form says the same.
    fileprivate func isSame(as value: DEREntitlements.Value) -> Bool {
        switch (self, value) {
        case (.string(let own), .string(let other)): own == other
        case (.integer(let own), .integer(let other)): own == other
        case (.boolean(let own), .boolean(let other)): own == other
        case (.data(let own), .data(let other)): own == other
        case (.array(let own), .array(let other)):
            own.count == other.count && zip(own, other).allSatisfy { $0.isSame(as: $1) }
        case (.dictionary(let own), .dictionary(let other)):
            own.count == other.count
                && other.allSatisfy { entry in
                    own[entry.key]?.isSame(as: entry.value) ?? false
                }
        default: false
        }
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
