import Bundles
import Foundation
import Identifiers
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// The state after a publisher was killed, or got an error, at any of its system calls.
///
/// A normal run tests a kill at every call, and a few errors of each kind; `OTA_EVERY_FAULT=1` tests all.
@Suite(
    .serialized,
    .enabled(if: SystemFaults.areAvailable, "strace is missing or may not trace here"),
)
struct CrashTests {
    @Test(arguments: [0, 1])
    func `a kill at any change on disk loses nothing acknowledged`(before: Int) async throws {
        let faults = SystemFaults(publisher: try #require(Publisher.path))
        try await withTemporaryFolder { folder in
            let original = folder.path() + "original"
            let counted = folder.path() + "counted"
            if before > 0 {
                try publish(1...before, into: original)
                try FileManager.default.copyItem(atPath: original, toPath: counted)
            }
            let counts = try faults.counts(
                of: SystemFaults.changing,
                publishing: before + 1,
                into: counted,
            )
            var points = 0
            var cutShort = 0
            for (call, count) in counts.sorted(by: { $0.key < $1.key }) where count > 0 {
                for number in SystemFaults.chosen(1...count, most: before > 0 ? count : 6) {
                    let root = folder.path() + "\(call)-\(number)"
                    if before > 0 {
                        try FileManager.default.copyItem(atPath: original, toPath: root)
                    }
                    let outcome = try faults.publish(
                        into: root,
                        before + 1,
                        fault: "\(call):signal=SIGKILL:when=\(number)",
                    )
                    try check(
                        root,
                        acknowledged: outcome.acknowledged ?? before,
                        "\(call) \(number)",
                    )
                    try FileManager.default.removeItem(atPath: root)
                    points += 1
                    if outcome.acknowledged == nil { cutShort += 1 }
                }
            }
            // Otherwise nothing was killed, and nothing proven.
            #expect(points > 10 && cutShort > points - 5)
        }
    }

    @Test(arguments: [
        ("write", "ENOSPC", "store.no-space"), ("write", "EIO", "store.medium"),
        ("write", "EDQUOT", "store.quota"),
        ("fsync", "EIO", "store.medium"), ("fsync", "ENOSPC", "store.no-space"),
        ("rename", "EROFS", "store.read-only"), ("rename", "ENOSPC", "store.no-space"),
        ("link", "EIO", "store.medium"), ("mkdir", "ENOSPC", "store.no-space"),
        ("openat", "EMFILE", "store.too-many-files"), ("openat", "EACCES", "store.not-permitted"),
        ("flock", "EIO", "store.medium"),
    ])
    func `an error of any call is named and the store stays whole`(
        call: String,
        code: String,
        id: String,
    ) async throws {
        let faults = SystemFaults(publisher: try #require(Publisher.path))
        try await withTemporaryFolder { folder in
            let original = folder.path() + "original"
            let counted = folder.path() + "counted"
            try publish(1...1, into: original)
            try FileManager.default.copyItem(atPath: original, toPath: counted)
            let numbers =
                call == "openat"
                ? try faults.opens(publishing: 2, into: counted)
                : 1...max(
                    1,
                    try faults.counts(of: [call], publishing: 2, into: counted)[call] ?? 0,
                )
            var refused = 0
            for number in SystemFaults.chosen(numbers, most: 8) {
                let root = folder.path() + "\(number)"
                try FileManager.default.copyItem(atPath: original, toPath: root)
                let outcome = try faults.publish(
                    into: root,
                    2,
                    fault: "\(call):error=\(code):when=\(number)",
                )
                let isSaid = outcome.output.contains("refused \(id): ")
                #expect(outcome.status == 0 || isSaid, "\(call) \(number): \(outcome)")
                if isSaid { refused += 1 }
                try check(root, acknowledged: outcome.acknowledged ?? 1, "\(call) \(number)")
                try FileManager.default.removeItem(atPath: root)
            }
            #expect(refused > 0)
        }
    }

    @Test func `a restore that is killed at any change can be run again`() async throws {
        let faults = SystemFaults(publisher: try #require(Publisher.path))
        try await withTemporaryFolder { folder in
            let original = folder.path() + "original"
            try publish(1...2, into: original)
            let backup = folder.path() + "backup.tar"
            _ = try StoreBackup.write(OTAStore.open(at: original), to: backup)
            let calls = SystemFaults.changing + ["rmdir"]
            let counts = try faults.counts(
                of: calls,
                in: ["restore", folder.path() + "counted", backup],
                log: folder.path() + "log",
            )
            var unfinished = 0
            for (call, count) in counts.sorted(by: { $0.key < $1.key }) where count > 0 {
                for number in SystemFaults.chosen(1...count, most: 8) {
                    let point = "\(call) \(number)"
                    let root = folder.path() + "\(call)-\(number)"
                    let outcome = try faults.run(
                        ["restore", root, backup],
                        fault: "\(call):signal=SIGKILL:when=\(number)",
                    )
                    let isStore = FileManager.default.fileExists(atPath: root + "/store.json")
                    #expect(isStore || outcome.acknowledged == nil, "\(point)")
                    if !isStore {
                        unfinished += 1
                        #expect(throws: StoreFailure.self, "\(point)") {
                            try OTAStore.open(at: root)
                        }
                        try StoreRestore.run(from: backup, into: root)
                    }
                    let store = try OTAStore.open(at: root)
                    #expect(try store.verify().problems.isEmpty, "\(point)")
                    #expect(try store.apps() == OTAStore.open(at: original).apps(), "\(point)")
                }
            }
            #expect(unfinished > 10)
        }
    }

    private func publish(_ numbers: ClosedRange<Int>, into root: String) throws {
        let arguments = ["publish", root, "\(numbers.lowerBound)", "\(numbers.count)"]
        let outcome = try Publisher.run(try #require(Publisher.path), arguments)
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    /// Checks that everything acknowledged is there, that nothing is damaged, and that the same publish works
    /// now.
    private func check(_ root: String, acknowledged: Int, _ point: String) throws {
        let store: OTAStore
        do {
            store = try OTAStore.open(at: root)
        } catch {
            #expect(acknowledged == 0, "\(point): \(error)")
            try publish(1...1, into: root)
            return
        }
        let problems = try store.verify().problems
        #expect(problems.isEmpty, "\(point): \(problems)")
        let app = try store.apps().first
        let offered = app?.channels[.stable].flatMap { Int($0.rawValue.dropFirst("1.0-".count)) }
        #expect((offered ?? 0) >= acknowledged, "\(point)")
        let journal = try store.activity(count: 9)
        #expect(journal.count >= acknowledged, "\(point)")
        try publish(1...max(1, acknowledged + 1), into: root)
        #expect(try OTAStore.open(at: root).verify().problems.isEmpty, "\(point)")
    }
}
