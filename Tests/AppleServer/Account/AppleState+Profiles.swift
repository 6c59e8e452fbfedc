import Bytes
import Cryptography
import Foundation
import PropertyLists
import Sample

extension AppleState {
    /// Creates an Ad Hoc profile with everything that is enabled, and silently leaves out the rest.
    mutating func createProfile(
        _ data: JSONValue,
        by authority: SigningAuthority,
    ) throws -> AppleAnswer {
        let name = data["attributes"]?["name"]?.string ?? ""
        let links = data["relationships"]
        let bundle = links?["bundleId"]?["data"]?["id"]?.string ?? ""
        let signers = Self.ids(links?["certificates"])
        let asked = Self.ids(links?["devices"])
        guard (1...50).contains(name.count) else { return Self.invalid("name", name) }
        guard !profiles.contains(where: { $0.name == name }) else {
            return .refusal(
                409,
                "ENTITY_ERROR",
                "Multiple profiles found with the name '\(name)'.  Please remove the duplicate "
                    + "profiles and try again.",
            )
        }
        guard let bundleID = bundleIDs.first(where: { $0.id == bundle }) else {
            return .refusal(
                409,
                "ENTITY_ERROR",
                "There is no App ID with ID '\(bundle)' on this team.",
            )
        }
        guard signers.count == 1 else {
            return .refusal(
                409,
                "ENTITY_ERROR.RELATIONSHIP.INVALID",
                "A profile of this type takes one certificate.",
                pointer: "/data/relationships/certificates",
            )
        }
        guard let signer = certificates.first(where: { $0.id == signers[0] }) else {
            return .refusal(
                409,
                "ENTITY_ERROR",
                "There are no current certificates on this team matching the provided certificate "
                    + "IDs.",
            )
        }
        let found = devices.filter { asked.contains($0.id) }
        guard found.count == asked.count, !found.contains(where: { $0.status == "DISABLED" }),
            found.contains(where: { $0.status == "ENABLED" || $0.status == "PROCESSING" })
        else {
            return .refusal(
                409,
                "ENTITY_ERROR",
                "There are no current IOS devices on this team matching the provided device IDs.",
            )
        }
        guard !found.contains(where: { ["APPLE_TV", "MAC"].contains($0.deviceClass) }) else {
            return .refusal(409, "ENTITY_ERROR", "Invalid deviceClass for profile type")
        }
        let listed = found.filter { $0.status == "ENABLED" }
        let created = now
        let expires = min(
            created.addingDays(profileDays),
            signer.certificate.notAfter,
        )
        let uuid = UUID().uuidString.lowercased()
        let profile = Profile(
            id: makeID(),
            name: name,
            uuid: uuid,
            bundleID: bundle,
            certificate: signer.id,
            devices: listed.map(\.id),
            created: created,
            expires: expires,
            content: try Self.content(
                name: name,
                uuid: uuid,
                of: bundleID,
                for: listed,
                signer: signer.certificate,
                validity: created...max(created, expires),
                by: authority,
            ),
        )
        profiles.append(profile)
        return self.created(document(of: profile, hasContent: true))
    }

    private static func content(
        name: String,
        uuid: String,
        of bundleID: BundleID,
        for devices: [Device],
        signer: Certificate,
        validity: ClosedRange<Date>,
        by authority: SigningAuthority,
    ) throws -> [UInt8] {
        var builder = ProfileBuilder(
            .adHoc,
            devices: devices.map(\.udid),
            created: validity.lowerBound,
            expires: validity.upperBound,
        )
        builder.name = name
        builder.uuid = uuid
        builder.certificates = [signer]
        builder.includesDERForm = true
        for capability in bundleID.capabilities {
            switch capability.type {
            case "PUSH_NOTIFICATIONS":
                builder.entitlements["aps-environment"] = .string("production")
            case "ASSOCIATED_DOMAINS":
                builder.entitlements["com.apple.developer.associated-domains"] = .string("*")
            case "APP_GROUPS":
                builder.entitlements["com.apple.security.application-groups"] = .array(
                    capability.values.map { .string($0) }
                )
            default: break
            }
        }
        return try builder.bytes(
            for: ProfileBuilder.Subject(bundleIdentifier: bundleID.identifier),
            by: authority,
        )
    }

    private static func ids(_ relationship: JSONValue?) -> [String] {
        (relationship?["data"]?.elements ?? []).compactMap { $0["id"]?.string }
    }
}
