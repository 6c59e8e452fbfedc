import Bytes
import Cryptography
import Foundation
import Inspection
import PropertyLists
import Sample
import Signing
import Zip

/// The signers of these tests: those of the original builds, and the one that re-signs.
enum SigningRoom {
    /// 2026-01-15: the time of every signature and inspection.
    static let date = Date(timeIntervalSince1970: 1_768_435_200)

    /// The trusted authority that issues the signing certificate.
    static func authority() throws -> SigningAuthority { try SigningAuthority.cached() }

    /// An authority with other certificates of the same team, for earlier signatures.
    static func before() throws -> SigningAuthority { try earlier.get() }

    private static let earlier = Result {
        try SigningAuthority(validFrom: date.addingDays(-300))
    }

    static func anchors() throws -> TrustAnchors { .apple.adding([try authority().anchor]) }

    /// A certificate with an RSA key, as Apple's have, so that signatures are deterministic.
    static func identity() throws -> SigningIdentity { try signer.get() }

    private static let signer = Result {
        let team = DevelopmentTeam.sample
        return try identity(
            named: "Apple Distribution: \(team.name) (\(team.identifier))",
            of: team,
        )
    }

    /// A certificate of the authority for any name and team, with a new key.
    static func identity(
        named name: String,
        of team: DevelopmentTeam,
        marks: [OID] = [AppleExtension.distribution, AppleExtension.universalDistribution],
    ) throws -> SigningIdentity {
        let issuer = try authority().worldwideAuthority
        let subject = DistinguishedName([
            .init("0.9.2342.19200300.100.1.1", team.identifier),
            .init("2.5.4.3", name),
            .init("2.5.4.11", team.identifier),
            .init("2.5.4.10", team.name),
            .init("2.5.4.6", "US"),
        ])
        var template = CertificateTemplate(
            subject: subject,
            serial: CertificateTemplate.randomSerial(),
            notBefore: date.addingDays(-200),
            notAfter: date.addingDays(160),
        )
        template.keyUsage = [.digitalSignature]
        let purposes = DERBytes.sequence(DERBytes.objectIdentifier(.codeSigning))
        template.customExtensions =
            [CertificateExtension(.extendedKeyUsage, isCritical: true, value: purposes)]
            + marks.map { CertificateExtension($0, isCritical: true, value: DERBytes.null) }
        let key = try PrivateKey.generate(.rsa2048)
        return SigningIdentity(
            certificate: try template.issued(for: key, by: issuer),
            key: key,
            chain: [issuer.certificate] + issuer.chain,
        )
    }

    static func request(
        _ profiles: [[UInt8]],
        by identity: SigningIdentity? = nil,
        entitlements: PropertyList? = nil,
        at date: Date = date,
    ) throws -> SigningRequest {
        let anchors = try anchors()
        return SigningRequest(
            identity: try identity ?? self.identity(),
            profiles: try profiles.enumerated().map { index, bytes in
                try SigningProfile(
                    bytes,
                    at: "\(index).mobileprovision",
                    trusting: anchors,
                    date: date,
                )
            },
            entitlements: entitlements,
            trusting: anchors,
            at: date,
        )
    }

    static func plan(_ archive: [UInt8], for request: SigningRequest) throws -> SigningPlan {
        let archive = try ZipArchive(reading: MemorySource(archive))
        return try PackageSigner(archive, for: request).plan(threads: 1)
    }

    /// Signs an archive in memory.
    static func sign(_ archive: [UInt8], for request: SigningRequest) throws -> [UInt8] {
        let plan = try plan(archive, for: request)
        let collected = Collected()
        try unsafe plan.write { unsafe collected.bytes.append(contentsOf: $0) }
        return collected.bytes
    }

    /// Inspects an archive completely, as `ota validate` does.
    static func report(on archive: [UInt8], at date: Date = date) throws -> InspectionReport {
        let zip = try ZipArchive(reading: MemorySource(archive))
        let inspector = try Inspector(of: zip, trusting: anchors())
        try zip.verify(threads: 1, sink: inspector.sink)
        return inspector.build(sha256: SHA256Digest(of: archive), at: date).report
    }

    private final class Collected {
        var bytes: [UInt8] = []
    }
}

extension InspectionReport {
    /// The reasons that prevent its installation, in words.
    var obstacles: [String] {
        findings.filter { $0.severity == .blocks }.map { "\($0.id) \($0.place): \($0.message)" }
    }
}
