import Foundation
import TestSupport
import Testing

/// The dashboard and the alert rules in `docs/operations/` use only existing metrics.
@Suite(.timeLimit(.minutes(10)))
struct OperationFilesTests {
    private static let folder = URL(filePath: #filePath)
        .appending(path: "../../../docs/operations").standardizedFileURL
    private static let promtool = [
        URL(filePath: #filePath).appending(path: "../../../.build/tools/bin/promtool")
            .standardizedFileURL.path(), "/usr/bin/promtool",
    ].first(where: FileManager.default.isExecutableFile).map(Program.init(path:))

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// The texts between a beginning and the first character that is not allowed.
    private static func found(
        _ start: String,
        in text: String,
        _ isTaken: (Character) -> Bool,
    )
        -> Set<String>
    {
        Set(
            text.components(separatedBy: start).dropFirst().map {
                String($0.prefix(while: isTaken))
            }
        )
    }

    private static func names(in text: String) -> Set<String> {
        let names = found("ota_", in: text) { $0.isLowercase || $0 == "_" }
        return Set(names.map { "ota_" + $0 })
    }

    @Test func `every metric of the dashboard and of the rules is one of the server's`()
        async throws
    {
        try await TestSite.run { site in
            for path in ["/apps/demo-co", "/api/v1/apps/demo-co/update?version=1&build=1"] {
                #expect(try await WireClient.get(site, path).status == 200)
            }
            let reader = try APIClient.holding("read", on: site)
            let metrics = try await reader.send("GET", "/metrics").wire.text
            let dashboard = try Self.text("grafana.json")
            for text in [dashboard, try Self.text("alerts.yml"), try Self.text("alerts.test.yml")] {
                let names = Self.names(in: text)
                #expect(names.count >= 8)
                for name in names {
                    #expect(metrics.contains("# TYPE \(name) "), "there is no metric \(name)")
                }
            }
            let routes = Self.found("route=\\\"", in: dashboard) { $0 != "\\" }
            #expect(routes.count == 2)
            for route in routes {
                #expect(metrics.contains("route=\"\(route)\""), "there is no route \(route)")
            }
        }
    }

    @Test func `the dashboard is JSON with an expression in every panel`() throws {
        let bytes = try Data(contentsOf: Self.folder.appending(path: "grafana.json"))
        let dashboard = try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        #expect(panels.count >= 10)
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
        for panel in panels {
            let targets = try #require(panel["targets"] as? [[String: Any]])
            #expect(!targets.isEmpty)
            for target in targets {
                #expect((target["expr"] as? String)?.contains("ota_") == true)
            }
        }
    }

    @Test(.enabled(if: promtool != nil, "promtool is missing: run scripts/tools"))
    func `promtool takes the rules, and they say what made-up servers suffer from`() async throws {
        let promtool = try #require(Self.promtool)
        for arguments in [
            ["check", "rules", "--lint-fatal", "alerts.yml"], ["test", "rules", "alerts.test.yml"],
        ] {
            let run = try await promtool.run(arguments, in: Self.folder)
            #expect(run.status == 0, "\(run.output)\(run.errors)")
        }
        // A rule with another metric is detected.
        try await withTemporaryFolder { folder in
            let rules = try Self.text("alerts.yml")
                .replacing("ota_webhooks_failing > 0", with: "ota_webhooks_failing > 2")
            try Data(rules.utf8).write(to: folder.appending(path: "alerts.yml"))
            try Data(try Self.text("alerts.test.yml").utf8)
                .write(to: folder.appending(path: "alerts.test.yml"))
            let run = try await promtool.run(["test", "rules", "alerts.test.yml"], in: folder)
            #expect(run.status != 0)
        }
    }
}
