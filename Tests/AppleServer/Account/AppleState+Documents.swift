import Bytes
import Cryptography
import Foundation

extension AppleState {
    static func text(_ date: Date) -> JSONValue {
        .text(date.formatted(.iso8601).dropLast() + ".000+00:00")
    }

    func document(of device: Device) -> JSONValue {
        Self.resource(
            "devices",
            device.id,
            [
                "name": .text(device.name), "platform": .text("IOS"), "udid": .text(device.udid),
                "deviceClass": .text(device.deviceClass), "status": .text(device.status),
                "model": .text("iPhone 14 Pro"), "addedDate": Self.text(device.added),
            ],
        )
    }

    func document(of bundleID: BundleID) -> JSONValue {
        Self.resource(
            "bundleIds",
            bundleID.id,
            [
                "name": .text(bundleID.name), "identifier": .text(bundleID.identifier),
                "platform": .text("IOS"), "seedId": .text("OTASAMPLE1"),
            ],
        )
    }

    func document(of capability: Capability) -> JSONValue {
        Self.resource(
            "bundleIdCapabilities",
            capability.id,
            ["capabilityType": .text(capability.type)],
        )
    }

    func document(of issued: IssuedCertificate) -> JSONValue {
        let certificate = issued.certificate
        return Self.resource(
            "certificates",
            issued.id,
            [
                "name": .text(certificate.subject.commonName ?? ""),
                "displayName": .text(certificate.subject.organization ?? ""),
                "certificateType": .text(issued.type), "platform": .text("IOS"),
                "serialNumber": .text(certificate.serialNumber.uppercased()),
                "expirationDate": Self.text(certificate.notAfter),
                "certificateContent": .text(Data(certificate.der).base64EncodedString()),
            ],
        )
    }

    /// The document of a profile, with its content if the request's `fields[profiles]` includes it.
    func document(of profile: Profile, hasContent: Bool) -> JSONValue {
        var attributes: [String: JSONValue] = [
            "name": .text(profile.name), "platform": .text("IOS"),
            "profileType": .text("IOS_APP_ADHOC"), "profileState": .text(profileState(profile)),
            "uuid": .text(profile.uuid), "createdDate": Self.text(profile.created),
            "expirationDate": Self.text(profile.expires),
        ]
        if hasContent {
            attributes["profileContent"] = .text(Data(profile.content).base64EncodedString())
        }
        return Self.resource(
            "profiles",
            profile.id,
            attributes,
            [
                "bundleId": .object(["data": Self.link("bundleIds", profile.bundleID)]),
                "certificates": .object([
                    "data": .list([Self.link("certificates", profile.certificate)])
                ]),
            ],
        )
    }

    private static func resource(
        _ type: String,
        _ id: String,
        _ attributes: [String: JSONValue],
        _ relationships: [String: JSONValue] = [:],
    ) -> JSONValue {
        var fields: [String: JSONValue] = [
            "type": .text(type), "id": .text(id), "attributes": .object(attributes),
        ]
        if !relationships.isEmpty { fields["relationships"] = .object(relationships) }
        return .object(fields)
    }

    private static func link(_ type: String, _ id: String) -> JSONValue {
        .object(["type": .text(type), "id": .text(id)])
    }
}
