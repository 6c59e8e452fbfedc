/// An X.501 name: the subject or the issuer of a certificate.
///
/// Names are equal when their attributes are, regardless of the string types that encode them.
package struct DistinguishedName: Sendable {
    package struct Attribute: Hashable, Sendable {
        package let type: OID
        package let value: String

        package init(_ type: OID, _ value: String) {
            self.type = type
            self.value = value
        }
    }

    /// The attributes in the order of the certificate.
    package let attributes: [Attribute]
    /// The original encoding, or the one to be written.
    package let der: [UInt8]

    init(attributes: [Attribute], der: [UInt8]) {
        self.attributes = attributes
        self.der = der
    }

    /// Creates a name in the order country, organization, organizational unit, common name.
    package init(
        commonName: String,
        organization: String? = nil,
        organizationalUnit: String? = nil,
        country: String? = nil,
    ) {
        self.init(
            [
                country.map { Attribute(.country, $0) },
                organization.map { Attribute(.organization, $0) },
                organizationalUnit.map { Attribute(.organizationalUnit, $0) },
                Attribute(.commonName, commonName),
            ].compactMap(\.self)
        )
    }

    /// Creates a name from attributes, each in a set of its own.
    package init(_ attributes: [Attribute]) {
        self.attributes = attributes
        der = DERBytes.sequence(
            of: attributes.map { attribute in
                let value =
                    attribute.type == .country
                    ? DERBytes.printableString(attribute.value)
                    : DERBytes.utf8String(attribute.value)
                return DERBytes.set(of: [
                    DERBytes.sequence(DERBytes.objectIdentifier(attribute.type), value)
                ])
            }
        )
    }

    package var commonName: String? { first(.commonName) }
    package var organization: String? { first(.organization) }
    package var organizationalUnit: String? { first(.organizationalUnit) }
    package var country: String? { first(.country) }
    /// The UID; in Apple's certificates it identifies the team or the person.
    package var userIdentifier: String? { first(.userIdentifier) }

    /// The values of all attributes of a type, in order.
    package func all(_ type: OID) -> [String] {
        attributes.filter { $0.type == type }.map(\.value)
    }

    private func first(_ type: OID) -> String? { all(type).first }
}

extension DistinguishedName: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.attributes == right.attributes
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(attributes)
    }
}

extension DistinguishedName: CustomStringConvertible {
    /// The name in text form, such as `CN=Apple Root CA, OU=Apple Certification Authority, O=Apple Inc.,
    /// C=US`.
    package var description: String {
        let labels: [OID: String] = [
            .commonName: "CN", .organizationalUnit: "OU", .organization: "O", .country: "C",
            .userIdentifier: "UID", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.5": "serialNumber",
            "1.2.840.113549.1.9.1": "emailAddress", "0.9.2342.19200300.100.1.25": "DC",
        ]
        let isLeastSpecificFirst = attributes.first?.type != .commonName
        let ordered = isLeastSpecificFirst ? attributes.reversed() : attributes
        return ordered.map { "\(labels[$0.type] ?? $0.type.description)=\($0.value)" }
            .joined(separator: ", ")
    }
}
