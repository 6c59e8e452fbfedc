import APIDocuments
import Bundles
import Bytes
import Foundation
import Inspection
import PropertyLists
import Signing

/// The JSON document of `ota sign --json` for a signed build.
struct SignDocument: Encodable {
    struct Profile: Encodable {
        let uuid: String
        let name: String
        let type: ProfileKind
        let expires: Date
        /// The number of devices that it lists; null if it needs no list.
        @OrNull var devices: Int?
    }

    struct Dropped: Encodable {
        let key: String
        let reason: DroppedEntitlement.Reason
    }

    struct Entitlements: Encodable {
        let kept: [String: JSONValue]
        let dropped: [Dropped]
    }

    struct Bundle: Encodable {
        let path: String
        /// For a library without a bundle, the name of its file without extension.
        let bundleIdentifier: String
        let kind: BundleKind
        /// Null for frameworks and libraries.
        @OrNull var profile: Profile?
        /// Null for frameworks and libraries.
        @OrNull var entitlements: Entitlements?
    }

    let schema = 1
    /// Null if the result could not be installed and was not kept.
    @OrNull var output: String?
    let sha256: String
    let size: Int
    /// The app first.
    let bundles: [Bundle]
    let findings: [FindingDocument]
}

extension SignDocument.Bundle {
    init(_ bundle: SignedBundle) {
        path = bundle.path.text
        bundleIdentifier = bundle.identifier
        kind = bundle.kind
        profile = bundle.profile.map {
            SignDocument.Profile(
                uuid: $0.facts.uuid,
                name: $0.facts.name,
                type: $0.facts.kind,
                expires: $0.facts.expires,
                devices: $0.facts.devices?.count,
            )
        }
        entitlements = bundle.entitlements.map { signed in
            SignDocument.Entitlements(
                kept: signed.kept.mapValues { JSONValue($0) },
                dropped: signed.dropped.map {
                    SignDocument.Dropped(key: $0.key, reason: $0.reason)
                },
            )
        }
    }
}

extension JSONValue {
    /// A property list value; data as Base64, dates as ISO 8601.
    init(_ value: PropertyList) {
        self =
            switch value {
            case .string(let text): .text(text)
            case .integer(let number): .integer(Int(number))
            case .unsigned(let number), .uid(let number): .number(Double(number))
            case .real(let number): .number(number)
            case .boolean(let value): .boolean(value)
            case .date(let date): .text(date.formatted(.iso8601))
            case .data(let bytes): .text(Data(bytes).base64EncodedString())
            case .array(let values): .list(values.map { JSONValue($0) })
            case .dictionary(let entries): .object(entries.mapValues { JSONValue($0) })
            }
    }
}
