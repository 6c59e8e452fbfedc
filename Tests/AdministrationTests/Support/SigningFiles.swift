import Cryptography
import Foundation
import Sample

/// Certificates and profiles from a private authority, as files of an admin.
struct SigningFiles {
    let authority: SigningAuthority
    let date: Date

    init(at date: Date) throws {
        authority = try SigningAuthority.cached()
        self.date = date
    }

    var team: String { authority.team.identifier }
    var anchors: TrustAnchors { .apple.adding([authority.anchor]) }

    /// The team's distribution certificate with its private key, as PEM without its issuers.
    var identity: [UInt8] { Self.file(authority.distribution) }

    static func file(_ identity: SigningIdentity) -> [UInt8] {
        Array((identity.key.pem + identity.certificate.pem + identity.chain.pem).utf8)
    }

    /// Another distribution certificate of the team.
    func renewed() throws -> SigningIdentity {
        try authority.identity(
            .distribution,
            from: date.addingDays(-1),
            until: date.addingYears(1),
        )
    }

    /// A profile for an app, by default an Ad Hoc one that lists the team's certificate.
    func profile(
        _ bundle: String = "com.example.app",
        kind: ProfileBuilder.Kind = .adHoc,
        _ change: (inout ProfileBuilder) -> Void = { _ in },
    ) throws -> [UInt8] {
        var builder = ProfileBuilder(
            kind,
            devices: ["00008120-000000000000001E"],
            created: date.addingDays(-1),
        )
        change(&builder)
        return try builder.bytes(
            for: ProfileBuilder.Subject(bundleIdentifier: bundle),
            by: authority,
        )
    }
}
