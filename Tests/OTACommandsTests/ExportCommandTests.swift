import Foundation
import TestSupport
import Testing

/// Installations, activity and devices as tables, from a store and from a server.
@Suite(.timeLimit(.minutes(10)))
struct ExportCommandTests {
    @Test func `installs, activity and devices are exported as tables`() async throws {
        try await Workplace.run { place in
            _ = try await place.json(
                "devices",
                "add",
                "00008120-000A1B2C3D4E5F67",
                "--name",
                "=Ana, the first",
            )
            let year = Date().formatted(.iso8601).prefix(7)
            let folder = place.folder.appending(path: "ota-store/installs")
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
            )
            let lines = (0..<3).map { index in
                let date = Date(timeIntervalSinceNow: Double(index - 3) * 60).formatted(.iso8601)
                return """
                    {"app":"com.example.browsey","began":"\(date)","ended":"\(date)",\
                    "outcome":"downloaded","release":"1.\(index)-1","sent":100}
                    """
            }
            try Data((lines.joined(separator: "\n") + "\n").utf8)
                .write(to: folder.appending(path: "\(year).jsonl"))
            let limited = try await place.json("installs", "--limit", "2", "--days", "7")
            #expect(limited["installs"].items.map { $0["release"].string } == ["1.2-1", "1.1-1"])
            let shown = try await place.ota("installs").output
            #expect(shown.contains("1.0-1") && shown.contains("downloaded, "))
            try await place.serving { server in
                for target in [[], server.options] {
                    let installs = try await place.ota(
                        ["installs", "--csv", "--days", "7"] + target
                    )
                    #expect(installs.output.components(separatedBy: "\r\n").count == 5)
                    #expect(installs.output.contains(",1.0-1,downloaded,100,"))
                    #expect(installs.output.hasPrefix("began,ended,app,release,outcome,bytes,"))
                    let activity = try await place.ota(
                        ["activity", "--csv", "--days", "7"] + target
                    )
                    #expect(activity.output.contains(",\"'=Ana, the first\","))
                    let devices = try await place.ota(["devices", "list", "--csv"] + target)
                    #expect(devices.output.contains("\"'=Ana, the first\",iphone,"))
                    #expect(devices.errors.isEmpty)
                }
            }
            for wrong in [
                ["installs", "--csv", "--json"], ["installs", "--days", "367"],
                ["activity", "--csv", "--days", "0"], ["devices", "list", "--csv", "--json"],
            ] {
                #expect(try await place.ota(wrong).status == 64, "\(wrong)")
            }
        }
    }
}
