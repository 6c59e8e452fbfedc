import Bundles
import Bytes
import Cryptography
import Foundation
import Inspection
import PropertyLists
import Sample
import Signing
import Testing
import Zip

/// A build that another team signed, re-signed in memory.
struct Resigned {
    static let date = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01T00:00:00Z

    let bytes: [UInt8]
    let archive: ZipArchive
    let plan: SigningPlan
    let report: InspectionReport

    /// The signing team's authority; the builds with which tests begin are from another team.
    static func authority() throws -> SigningAuthority { try SigningAuthority.cached() }

    private static let stranger = Result {
        try SigningAuthority(
            team: .other,
            validFrom: Date(timeIntervalSince1970: 1_577_836_800),
            leafExpires: Date(timeIntervalSince1970: 2_200_000_000),
        )
    }

    static func app(
        _ name: String = "Demo",
        identifier: String = "com.example.demo",
    ) throws
        -> IPABuilder
    {
        IPABuilder(name, identifier: identifier, by: try stranger.get(), at: date)
            .editing { $0.app.hasIcon = false }
    }

    /// A profile of the team for an identifier or a pattern.
    static func profile(
        _ pattern: String,
        _ kind: ProfileBuilder.Kind = .adHoc,
        granting entitlements: [String: PropertyList] = [:],
        _ change: (inout ProfileBuilder) -> Void = { _ in },
    ) throws -> SigningProfile {
        var builder = ProfileBuilder(kind, devices: [SampleDevices.one], created: date)
        builder.name = "Profile for \(pattern)"
        change(&builder)
        let authority = try authority()
        let bytes = try builder.bytes(
            for: .init(bundleIdentifier: pattern, entitlements: entitlements),
            by: authority,
        )
        return try SigningProfile(
            bytes,
            at: "\(pattern).mobileprovision",
            trusting: TrustAnchors.apple.adding([authority.anchor]),
            date: date,
        )
    }

    static func request(_ profiles: [SigningProfile]) throws -> SigningRequest {
        let authority = try authority()
        return SigningRequest(
            identity: authority.distribution,
            profiles: profiles,
            trusting: TrustAnchors.apple.adding([authority.anchor]),
            at: date,
        )
    }

    init(
        _ ipa: [UInt8],
        _ request: SigningRequest,
        archived: [RelativePath: PropertyList] = [:],
        packing: Bool = false,
    ) throws {
        let archive = try ZipArchive(reading: MemorySource(ipa))
        try self.init(archive, request, archived: archived, packing: packing)
    }

    init(
        _ original: ZipArchive,
        _ request: SigningRequest,
        archived: [RelativePath: PropertyList] = [:],
        packing: Bool = false,
    ) throws {
        plan = try PackageSigner(original, for: request, archived: archived).plan()
        let collected = Collected()
        try unsafe plan.write(packing: packing) { unsafe collected.bytes.append(contentsOf: $0) }
        let bytes = collected.bytes
        self.bytes = bytes
        archive = try ZipArchive(reading: MemorySource(bytes))
        try archive.verify(threads: 1)
        report = try plan.inspect(
            MemorySource(bytes),
            sha256: { SHA256Digest(of: bytes) },
            trusting: request.anchors,
            at: request.date,
        ).report
    }

    init(_ builder: IPABuilder, _ profiles: SigningProfile...) throws {
        try self.init(try builder.bytes(), try Self.request(profiles))
    }

    var blocking: [Finding] { report.findings.filter { $0.severity == .blocks } }

    func contents(_ path: RelativePath) throws -> [UInt8] {
        try archive.contents(of: try #require(archive[path]), atMost: 64 << 20)
    }

    /// The entitlements with which a bundle's program is signed.
    func entitlements(of path: RelativePath) throws -> [String: PropertyList] {
        let bundle = try #require(plan.bundles.first { $0.path == path })
        return try #require(bundle.entitlements).kept
    }
}

private final class Collected {
    var bytes: [UInt8] = []
}

extension SigningRefusal {
    /// The fault in a refusal, for comparisons.
    var fault: BundleFault? {
        if case .bundle(let fault, _) = self { fault } else { nil }
    }
}
