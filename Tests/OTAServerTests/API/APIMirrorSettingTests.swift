import APIDocuments
import Foundation
import GitRepositories
import Mirrors
import Store
import Testing
import Versions

/// The settings of a mirror, as the API changes them.
@Suite(.timeLimit(.minutes(10)))
struct APIMirrorSettingTests {
    @Test func `whatever a mirror can be told can be told over the API`() async throws {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            let new = #"{"name": "demo", "address": "https://example.com/x.git", "paused": true}"#
            #expect(try await admin.post("/mirrors", new).status == 201)
            var change = MirrorChange()
            change.address = "https://example.org/y.git"
            let patterns = ["a*", "b"].compactMap(ReferencePattern.init)
            (change.tags, change.branches) = (patterns, patterns)
            change.trusted = ["tags/v*", "heads/main"].compactMap(ReferencePattern.init)
            change.apps = patterns
            (change.prefix, change.pipelinePath) = ("demo/", "ci/pipeline.yml")
            (change.pipeline, change.user) = ("steps:\n  - run: \"true\"\n", "")
            (change.interval, change.isolation, change.network) = (
                60, IsolationChoice.none, false,
            )
            (change.symbolicLinks, change.submodules, change.paused) = (true, .sameHost, true)
            change.readFolders = ["/opt//swift/"]
            (change.timeLimit, change.sizeLimit) = (100, 101)
            (change.memoryLimit, change.diskLimit) = (102, 103)
            var secrets = MirrorSecretsChange()
            (secrets.variables, secrets.passwords) = (["API_KEY": "tell-nobody"], "")
            (secrets.sshKey, secrets.knownHosts, secrets.authority) = ("", "", "")
            secrets.hookSecret = "tell-nobody-long-enough"
            change.secrets = secrets
            let said = try JSONEncoder().encode(change)
            let keys = try #require(JSONSerialization.jsonObject(with: said) as? [String: Any])
            #expect(
                Set(keys.keys).union(["allowFile"])
                    == Set(MirrorChange.CodingKeys.allCases.map(\.rawValue))
            )
            let answer = try await admin.send(
                "PATCH",
                "/api/v1/mirrors/demo",
                String(decoding: said, as: UTF8.self),
            )
            #expect(answer.status == 200, "\(answer.wire.text)")
            let kept = try site.store.mirror(named: "demo")
            #expect(kept.apps == patterns && kept.submodules == .sameHost)
            #expect(kept.readableFolders == ["/opt/swift"])
            #expect(kept.limits.diskBytes == 103 << 20 && kept.limits.buildSeconds == 100)
            let again = try await admin.send("PATCH", "/api/v1/mirrors/demo", #"{"apps": ["*"]}"#)
            #expect(again.status == 200)
            #expect(try site.store.mirror(named: "demo").apps == nil)
        }
    }
}
