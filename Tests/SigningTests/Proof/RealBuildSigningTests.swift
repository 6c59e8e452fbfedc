import Bundles
import Bytes
import Cryptography
import Foundation
import MachOFormat
import PropertyLists
import Sample
import Signing
import TestSupport
import Testing
import Zip

/// Builds signed by Xcode, re-signed with a certificate of the same names: how the result differs from
/// Xcode's.
@Suite(
    .enabled(if: SignatureCheck.isPresent && Fixtures.arePresent, "fixtures, python3 or openssl")
)
struct RealBuildSigningTests {
    /// Every IPA of the fixtures with a signature, the newest first.
    private static let builds = [
        "SmallestAppExample.ipa", "apps/embedded.ipa", "apps/ipad.ipa", "test_data/ipa.ipa",
        "deploygate-cli/spec/fixtures/sample.ipa", "ipas/very capable app.ipa",
        "ipas/very-capable-app.ipa",
    ]

    @Test(arguments: builds)
    func `a build of Xcode's, signed again, is as Xcode would sign it today`(
        _ name: String
    ) async throws {
        let old = try RealBuild(named: name)
        try await withTemporaryFolder { folder in
            let signed = try SigningRoom.sign(old.bytes, for: old.request())
            try Data(signed).write(to: folder.appending(path: "after.ipa"))
            let root = try SigningRoom.authority().anchor.pem
            try Data(root.utf8).write(to: folder.appending(path: "root.pem"))
            let found = try await SignatureCheck.results(
                of: ["after.ipa"],
                from: [old.path],
                ["--current", "--anchor", "root.pem", "--same-signer", "--except", "fat"],
                in: folder,
            )
            let problems = found.flatMap(\.problems)
            let unlike = problems.filter { $0.rule == "likeness" }
            #expect(problems.filter { $0.rule != "likeness" }.map(\.description) == [])
            // Differences because codesign itself has changed since the build was made.
            let known = [
                "another version of", "special slots, not", "slots [", "bytes for the signature",
                "version ", "exec_limit ", "exec_flags ", "another header", "hash ",
                "other requirements", "team ", "text: ", "files lists", "files2 lists",
                "CodeDirectories by",
            ]
            if name == Self.builds[0] {
                #expect(unlike.map(\.description) == [])
            } else {
                for problem in unlike {
                    #expect(known.contains { problem.what.contains($0) }, "\(problem)")
                }
            }
        }
    }
}

/// An IPA of the fixtures, and the files with which a signer of the same name can sign it.
private struct RealBuild {
    let path: String
    let bytes: [UInt8]
    private let app: AppBundle
    private let archive: ZipArchive

    init(named name: String) throws {
        let item = try #require(
            Fixtures.items(ofKind: "ipa").first { $0.path.hasSuffix(name) }
        )
        path = item.url.path(percentEncoded: false)
        bytes = try item.bytes()
        archive = try ZipArchive(reading: MemorySource(bytes))
        app = try AppBundle(in: archive)
    }

    func request() throws -> SigningRequest {
        let leaf = try leaf()
        let team = DevelopmentTeam(
            identifier: leaf.subject.organizationalUnit ?? "",
            name: leaf.subject.organization ?? "",
        )
        let isDevelopment = try claims(of: app)["get-task-allow"]?.boolean == true
        let identity = try SigningRoom.identity(
            named: leaf.subject.commonName ?? "",
            of: team,
            marks: isDevelopment
                ? [AppleExtension.development] : [AppleExtension.distribution],
        )
        let profiles = try app.everyBundle.filter(\.kind.hasOwnProfile).map { bundle in
            let claims = try claims(of: bundle)
            let application = claims["application-identifier"]?.string ?? ""
            var profile = ProfileBuilder(
                isDevelopment ? .development : .adHoc,
                devices: [SampleDevices.one],
                created: SigningRoom.date.addingDays(-30),
            )
            profile.team = team
            profile.prefix = String(application.prefix { $0 != "." })
            profile.certificates = [identity.certificate]
            // The entitlements of an App Store build that an Ad Hoc profile can grant too.
            return try profile.bytes(
                for: .init(
                    bundleIdentifier: String(application.drop { $0 != "." }.dropFirst()),
                    entitlements: claims,
                ),
                by: SigningRoom.authority(),
            )
        }
        return try SigningRoom.request(profiles, by: identity)
    }

    private func signature(of bundle: AppBundle) throws -> CodeSignature {
        let program = try #require(bundle.executable)
        let file = try MachOFile(reading: archive.contents(of: program, atMost: program.size))
        return try #require(try file.slices.last?.signature())
    }

    private func leaf() throws -> Certificate {
        let message = try #require(try signature(of: app).message)
        return try #require(try SignedMessage(reading: Array(message)).claimedSigner)
    }

    private func claims(of bundle: AppBundle) throws -> [String: PropertyList] {
        let bytes = try #require(try signature(of: bundle).entitlements)
        return try PropertyList(reading: bytes).dictionary ?? [:]
    }
}
