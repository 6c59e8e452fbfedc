import Cryptography
import Foundation
import Sample
import TestSupport
import Testing

/// Whether the checker can be trusted: it reports nothing about Xcode's signatures, and detects every way to
/// break them.
@Suite(.enabled(if: SignatureCheck.isPresent, "python3 or openssl is not on this machine"))
struct CheckerTests {
    /// Packages signed by Xcode and others, with the rules by which they differ from today's form.
    private static let real: [(path: String, exceptions: [String])] = [
        ("SmallestAppExample.ipa", []), ("apps/embedded.ipa", []), ("apps/ipad.ipa", []),
        ("test_data/ipa.ipa", []), ("deploygate-cli/spec/fixtures/sample.ipa", []),
        // A self-signed certificate: no team, no chain, another requirement.
        ("ipas/very capable app.ipa", ["team", "chain", "requirements"]),
        ("ipas/very-capable-app.ipa", ["team", "chain", "requirements"]),
    ]

    @Test(.enabled(if: Fixtures.arePresent), arguments: real)
    func `nothing is wrong with what Xcode signed`(
        _ build: (path: String, exceptions: [String])
    ) async throws {
        let item = try #require(
            Fixtures.items(ofKind: "ipa").first { $0.path.hasSuffix(build.path) }
        )
        let root = try #require(Fixtures.all.first { $0.path.hasSuffix("data/AppleRootCA.cer") })
        let found = try await SignatureCheck.results(
            of: [item.url.path(percentEncoded: false)],
            ["--anchor", root.url.path(percentEncoded: false)]
                + build.exceptions.flatMap { ["--except", $0] },
            in: Fixtures.root,
        )
        #expect(found.flatMap(\.problems).map(\.description) == [])
        #expect(found.allSatisfy { ($0.programs ?? 0) > 0 })
    }

    @Test func `whatever is broken is noticed by the rule that it breaks`() async throws {
        try await withTemporaryFolder { folder in
            let date = SigningRoom.date
            let authority = try SigningAuthority.cached()
            try Data(authority.anchor.pem.utf8).write(to: folder.appending(path: "root.pem"))
            try SampleApps.forks(by: authority, at: date)
                .build(to: folder.appending(path: "forks.ipa").path(percentEncoded: false))
            let found = try await SignatureCheck.results(
                of: ["forks.ipa"],
                ["--current", "--break", "--anchor", "root.pem"],
                in: folder,
            )
            #expect(found.flatMap(\.problems).map(\.description) == [])
        }
    }
}
