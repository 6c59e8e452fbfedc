import Bytes
import Foundation
import Releases
import StoreFixtures
import TestSupport
import Testing

@testable import Store

/// The activity's entry about a change is written with the change, at whatever point its process ends.
struct EntryTests {
    private static let journal = DocumentName(known: "activity", "2027-01.jsonl")

    private static func renewed(_ number: Int) -> Activity {
        Activity(
            date: Date(timeIntervalSince1970: 1_800_000_000),
            actor: "ana",
            event: .settingsChanged,
            subject: "year \(number)",
        )
    }

    private static func renew(_ number: Int, in store: OTAStore) throws {
        try store.changeDevices {
            $0.renewal = Date(timeIntervalSince1970: Double(number))
        } recording: {
            [renewed(number)]
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a change is told once, and what changes nothing is not told`(
        kind: StorePlace.Kind
    ) async throws {
        try await withPlace(kind) { place in
            let store = try place.openOrCreate()
            try Self.renew(1, in: store)
            try Self.renew(1, in: store)
            try Self.renew(2, in: store)
            #expect(throws: StoreFailure.self) {
                try store.changeDevices { _ in
                    throw StoreFailure.conflict(.devices)
                } recording: {
                    [Self.renewed(3)]
                }
            }
            #expect(try store.activity(count: 9).map(\.subject) == ["year 2", "year 1"])
            _ = try StoredRelease().publish(into: store)
            var next = StoredRelease()
            next.build = "2"
            next.contents = "two"
            _ = try next.publish(into: store)
            let first = ReleaseIdentifier(version: "1.0", build: "1")
            #expect(try store.removeRelease(first, of: next.identifier, by: "ana", at: next.date))
            #expect(try store.activity(count: 1).map(\.event) == [.pruned])
            #expect(try place.open().verify().problems.isEmpty)
        }
    }

    @Test func `changes of many writers are each told once`() async throws {
        try await withPlace(.folder) { place in
            _ = try place.openOrCreate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        let store = try place.open()
                        for number in 0..<10 {
                            try Self.renew(writer * 10 + number + 1, in: store)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let told = try place.open().activity(count: 99).map(\.subject)
            #expect(told.count == 40 && Set(told).count == 40)
        }
    }

    /// The states in which a process can end between a document and its journal.
    enum Reached: CaseIterable, Sendable {
        case intent, document, oneLine, allLines, tornIntent
    }

    @Test(arguments: Reached.allCases)
    func `whoever comes next completes or drops what is left, once`(
        reached: Reached
    ) async throws {
        try await withPlace(.folder) { place in
            let store = try place.openOrCreate()
            try Self.renew(1, in: store)
            let before = try #require(place.bytes(at: "devices.json"))
            let after = Array(String(decoding: before, as: UTF8.self).utf8) + [10]
            // The same line as an existing one.
            let line = try #require(place.bytes(at: Self.journal.path)).dropLast()
            let pending = PendingEntry(
                JournalEntry(journal: Self.journal, lines: [Array(line), Array(line)]),
                with: .devices,
                at: DocumentVersion(of: after),
                behind: line.count + 1,
            )
            let intent = try pending.bytes()
            try place.put(
                reached == .tornIntent ? intent.dropLast(9) : intent[...],
                at: "store.lock",
            )
            if reached != .intent, reached != .tornIntent {
                try place.put(after, at: "devices.json")
            }
            let count = reached == .oneLine ? 1 : reached == .allLines ? 2 : 0
            for _ in 0..<count { try place.append(line + [10], to: Self.journal.path) }

            let isMade = reached != .intent && reached != .tornIntent
            for _ in 0..<2 {
                let lines = try place.open().activity(count: 9)
                #expect(lines == Array(repeating: Self.renewed(1), count: isMade ? 3 : 1))
            }
            #expect(place.bytes(at: "store.lock") == [])
            try Self.renew(2, in: place.open())
            #expect(try place.open().activity(count: 9).count == (isMade ? 4 : 2))
        }
    }

    @Test func `the next writer completes what is left before it writes`() async throws {
        try await withPlace(.folder) { place in
            let store = try place.openOrCreate()
            try Self.renew(1, in: store)
            let pending = PendingEntry(
                JournalEntry(journal: Self.journal, lines: [Array("{}".utf8)]),
                with: .devices,
                at: DocumentVersion(of: try #require(place.bytes(at: "devices.json"))),
                behind: try store.backend.end(of: Self.journal),
            )
            try place.put(pending.bytes(), at: "store.lock")
            // The store is not reopened: it was open when the other process ended.
            try Self.renew(2, in: store)
            let lines = try store.backend.lines(of: Self.journal)
            #expect(lines.count == 3 && lines[1] == Array("{}".utf8))
        }
    }

    @Test(.enabled(if: SystemFaults.areAvailable, "strace is missing or may not trace here"))
    func `a kill at any call leaves a change with its line, or neither`() async throws {
        let faults = SystemFaults(publisher: try #require(Publisher.path))
        try await withTemporaryFolder { folder in
            let original = folder.path() + "original"
            try Self.renew(1, in: OTAStore.openOrCreate(at: original, now: .now))
            let counted = folder.path() + "counted"
            try FileManager.default.copyItem(atPath: original, toPath: counted)
            let counts = try faults.counts(
                of: SystemFaults.changing,
                in: ["renew", counted, "2"],
                log: counted + ".strace",
            )
            var outcomes: Set<Bool> = []
            for (call, count) in counts.sorted(by: { $0.key < $1.key }) where count > 0 {
                for number in SystemFaults.chosen(1...count, most: 12) {
                    let root = folder.path() + "\(call)-\(number)"
                    try FileManager.default.copyItem(atPath: original, toPath: root)
                    let outcome = try faults.run(
                        ["renew", root, "2"],
                        fault: "\(call):signal=SIGKILL:when=\(number)",
                    )
                    let store = try OTAStore.open(at: root)
                    let isMade = try store.devices().renewal == Date(timeIntervalSince1970: 2)
                    let told = try store.activity(count: 9).map(\.subject)
                    let expected = isMade ? ["year 2", "year 1"] : ["year 1"]
                    #expect(told == expected, "\(call) \(number)")
                    #expect(isMade || outcome.acknowledged == nil, "\(call) \(number)")
                    #expect(try store.verify().problems.isEmpty, "\(call) \(number)")
                    outcomes.insert(isMade)
                }
            }
            #expect(outcomes.count == 2)
        }
    }
}
