import Foundation
import TestSupport
import Testing

/// Real builds and hostile archives through the program, where this machine has them.
@Suite(.enabled(if: Fixtures.arePresent, "the real fixtures are not here (OTA_FIXTURES)"))
struct RealArchiveTests {
    /// Kilobytes; a debug build holds too, at about 40 MB.
    private static let mostMemory = 64 << 10
    /// Seconds of processor time, which do not grow with what else the machine does.
    private static let mostTime = 2.0

    @Test(.timeLimit(.minutes(10)), arguments: Fixtures.items(ofKind: "ipa"))
    func `a real build inspects as what it is, or is refused by name`(
        item: Fixtures.Item
    ) async throws {
        try await Workplace.run { place in
            let measured = try await place.measured([
                "inspect", item.url.path(percentEncoded: false),
            ])
            #expect(measured.kilobytes < Self.mostMemory)
            guard let facts = ArchiveFacts(item.facts) else {
                #expect(measured.seconds < Self.mostTime)
                #expect(measured.outcome.status == 1)
                let error = try JSON(measured.outcome.errors)["error"]["id"].string ?? ""
                #expect(error.hasPrefix("zip.") || error.hasPrefix("bundle."), "\(error)")
                return
            }
            #expect(measured.outcome.status == 0, "\(measured.outcome.errors)")
            let build = try JSON(measured.outcome.output)
            #expect(ArchiveFacts(build) == facts)
        }
    }

    /// None of them is an app, so even those that are sound as archives are refused.
    @Test(.timeLimit(.minutes(10)), arguments: ["zip-hostile", "zip-odd", "zip-clean"])
    func `every strange archive is refused by name in bounded time and memory`(
        kind: String
    ) async throws {
        let items = Fixtures.items(ofKind: kind)
        #expect(items.count > 40)
        try await Workplace.run { place in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, item) in items.enumerated() {
                    if number >= 4 { try await group.next() }
                    group.addTask {
                        let name = "archive-\(number).ipa"
                        try Data(item.bytes()).write(to: URL(filePath: place.path(name)))
                        let measured = try await place.measured(["validate", name])
                        #expect(measured.outcome.status == 1, "\(item)")
                        #expect(measured.kilobytes < Self.mostMemory, "\(item)")
                        #expect(measured.seconds < Self.mostTime, "\(item)")
                        let report = try JSON(measured.outcome.output)
                        #expect(report["verdict"].string == "blocked", "\(item)")
                        let id = report["findings"].items.first?["id"].string ?? ""
                        #expect(id.hasPrefix("zip.") || id.hasPrefix("bundle."), "\(item) \(id)")
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

/// What the fixtures' register says of a build, and what `ota inspect` does.
private struct ArchiveFacts: Equatable {
    struct Bundle: Equatable {
        let identifier: String
        let profile: String?
        let expires: String?
        let devices: Int?
    }

    let minimumOS: String?
    let bundles: [Bundle]

    /// Nil where the register says that this is no build that could be read.
    ///
    /// The form: `10 entries; Payload/X.app/ id=… min=… prof=ad-hoc/exp 2014-08-25/dev 1 … || …`.
    init?(_ text: String) {
        guard let start = text.firstRange(of: "; ") else { return nil }
        let parts = text[start.upperBound...].components(separatedBy: " || ")
        var bundles: [Bundle] = []
        for part in parts {
            guard part.hasPrefix("Payload/"), let identifier = Self.value("id=", in: part),
                identifier != "None"
            else { return nil }
            let profile = Self.value("prof=", in: part)?.split(separator: "/").first
            let devices = part.firstRange(of: "/dev ").map { part[$0.upperBound...] }
            bundles.append(
                Bundle(
                    identifier: identifier,
                    profile: profile.map(String.init),
                    expires: part.firstRange(of: "/exp ").map {
                        String(part[$0.upperBound...].prefix(10))
                    },
                    devices: devices.flatMap { Int($0.prefix { $0 != " " }) },
                )
            )
        }
        self.bundles = bundles
        minimumOS = Self.value("min=", in: parts[0])
    }

    init(_ build: JSON) {
        minimumOS = build["minimumOS"].string
        bundles = ([build] + build["nested"].items.filter { $0["kind"].string != "framework" })
            .map { bundle in
                Bundle(
                    identifier: bundle["bundleIdentifier"].string ?? "",
                    profile: bundle["profile"]["type"].string,
                    expires: (bundle["profile"]["expires"].string?.prefix(10)).map(String.init),
                    devices: bundle["profile"]["devices"].number,
                )
            }
    }

    private static func value(_ key: String, in text: String) -> String? {
        text.firstRange(of: " " + key).map { String(text[$0.upperBound...].prefix { $0 != " " }) }
    }
}

extension Workplace {
    struct Measured {
        let outcome: Program.Outcome
        /// The most memory that was resident at once.
        let kilobytes: Int
        /// Processor time.
        let seconds: Double
    }

    /// Runs `ota … --json` and asks the system what it took.
    ///
    /// A small program in between starts it: a process is charged for what its parent held when it
    /// was made, and the tests hold much.
    func measured(_ arguments: [String]) async throws -> Measured {
        let script = """
            import os, sys
            child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
            _, status, usage = os.wait4(child, 0)
            seconds = usage.ru_utime + usage.ru_stime
            open(sys.argv[1], 'w').write(f'{usage.ru_maxrss} {seconds}')
            sys.exit(os.waitstatus_to_exitcode(status) % 256)
            """
        let usage = "usage-\(UUID().uuidString)"
        let outcome = try await Program(path: "/usr/bin/python3").run(
            ["-I", "-S", "-c", script, usage, programPath] + arguments + ["--json"],
            in: folder,
        )
        let numbers = String(decoding: try bytes(usage), as: UTF8.self).split(separator: " ")
        return Measured(
            outcome: outcome,
            kilobytes: try #require(numbers.first.flatMap { Int($0) }),
            seconds: try #require(numbers.last.flatMap { Double($0) }),
        )
    }
}
