import Foundation
import TestSupport
import Testing

/// Real builds and hostile archives, read by the program, if this machine has them.
@Suite(.enabled(if: Fixtures.arePresent, "the real fixtures are not here (OTA_FIXTURES)"))
struct RealArchiveTests {
    /// In kilobytes; a debug build stays below it too, at about 40 MB.
    private static let mostMemory = 64 << 10
    /// In seconds of CPU time, which does not depend on what else the machine does.
    private static let mostTime = 2.0

    @Test(.timeLimit(.minutes(10)), arguments: Fixtures.items(ofKind: "ipa"))
    func `a real build inspects as what it is, or is refused by name`(
        item: Fixtures.Item
    ) async throws {
        try await Workplace.run { place in
            let command = ["inspect", item.url.path(percentEncoded: false)]
            let measured = try #require(try await place.measured([command]).first)
            #expect(measured.kilobytes < Self.mostMemory)
            guard let facts = ArchiveFacts(item.facts) else {
                #expect(measured.seconds < Self.mostTime)
                #expect(measured.status == 1)
                let error = try JSON(measured.errors)["error"]["id"].string ?? ""
                #expect(error.hasPrefix("zip.") || error.hasPrefix("bundle."), "\(error)")
                return
            }
            #expect(measured.status == 0, "\(measured.errors)")
            let build = try JSON(measured.output)
            #expect(ArchiveFacts(build) == facts)
        }
    }

    /// None of them is an app, so even those that are valid archives are refused.
    @Test(.timeLimit(.minutes(10)), arguments: ["zip-hostile", "zip-odd", "zip-clean"])
    func `every strange archive is refused by name in bounded time and memory`(
        kind: String
    ) async throws {
        let items = Fixtures.items(ofKind: kind)
        #expect(items.count > 40)
        try await Workplace.run { place in
            for (number, item) in items.enumerated() {
                try Data(item.bytes()).write(to: URL(filePath: place.path("\(number).ipa")))
            }
            let all = try await place.measured(items.indices.map { ["validate", "\($0).ipa"] })
            for (item, measured) in zip(items, all) {
                #expect(measured.status == 1, "\(item)")
                #expect(measured.kilobytes < Self.mostMemory, "\(item)")
                #expect(measured.seconds < Self.mostTime, "\(item)")
                let report = try JSON(measured.output)
                #expect(report["verdict"].string == "blocked", "\(item)")
                let id = report["findings"].items.first?["id"].string ?? ""
                #expect(id.hasPrefix("zip.") || id.hasPrefix("bundle."), "\(item) \(id)")
            }
        }
    }
}

/// The facts about a build in the fixtures' register, and those from `ota inspect`.
private struct ArchiveFacts: Equatable {
    struct Bundle: Equatable {
        let identifier: String
        let profile: String?
        let expires: String?
        let devices: Int?
    }

    let minimumOS: String?
    let bundles: [Bundle]

    /// Nil if the register says that this is not a readable build.
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
    struct Measured: Decodable {
        let status: Int32
        let output: String
        let errors: String
        /// The maximum resident set size.
        let kilobytes: Int
        /// CPU time.
        let seconds: Double
    }

    /// Runs `ota … --json` with each of the argument lists, and measures the resources of each.
    ///
    /// A small program in between starts them: a process's maximum starts with that of its parent when it was
    /// forked, and the tests use much memory.
    func measured(_ commands: [[String]]) async throws -> [Measured] {
        let script = """
            import concurrent.futures, json, os, sys
            def run(numbered):
                number, arguments = numbered
                names = [f'{number}.output', f'{number}.errors']
                flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
                actions = [
                    (os.POSIX_SPAWN_OPEN, descriptor, name, flags, 0o600)
                    for descriptor, name in enumerate(names, 1)
                ]
                command = [sys.argv[1], *arguments, '--json']
                child = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
                _, status, usage = os.wait4(child, 0)
                output, errors = [open(name, encoding='utf-8').read() for name in names]
                return {
                    'status': os.waitstatus_to_exitcode(status) % 256,
                    'output': output,
                    'errors': errors,
                    'kilobytes': usage.ru_maxrss,
                    'seconds': usage.ru_utime + usage.ru_stime,
                }
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                print(json.dumps(list(pool.map(run, enumerate(json.load(sys.stdin))))))
            """
        let outcome = try await Program(path: "/usr/bin/python3").run(
            ["-I", "-S", "-c", script, programPath],
            input: String(decoding: try JSONEncoder().encode(commands), as: UTF8.self),
            in: folder,
        )
        try #require(outcome.status == 0, "\(outcome.errors)")
        let measured = try JSONDecoder().decode([Measured].self, from: Data(outcome.output.utf8))
        try #require(measured.count == commands.count)
        return measured
    }
}
