import Dispatch
import Foundation
@testable import ObjectStore
@testable import S3
import Store
import Synchronization
import TestSupport
import Testing

/// Many writers of one document on several servers, over unreliable connections.
@Suite(.enabled(if: StorePlace.Kind.allCases.contains(.object)), .timeLimit(.minutes(5)))
struct LinearizabilityTests {
    private static let servers = 3
    private static let writers = 9
    private static let rounds = ProcessInfo.processInfo.environment["OTA_LONG"] == nil ? 5 : 60

    @Test func `each document is as if its writers had come one after the other`() async throws {
        try await withPlace(.object) { place in
            _ = try place.openOrCreate()
            let first = try #require(try place.backend() as? ObjectBackend)
            let history = WriteHistory()
            let name = try DocumentName("checks", "list.json")
            var lines: [FaultyLine] = []
            var backends: [ObjectBackend] = []
            for _ in 0..<Self.servers {
                let line = FaultyLine(try ObjectPlace.connection.get())
                lines.append(line)
                backends.append(try ObjectPlace.backend(like: first, through: line))
            }
            _ = try first.write([], to: name, if: .absent)
            let queue = DispatchQueue(label: "ota.tests.writers", attributes: .concurrent)
            let writing = DispatchGroup()
            let isOver = Mutex(false)
            for writer in 0..<Self.writers {
                let backend = backends[writer % Self.servers]
                queue.async(group: writing) {
                    for round in 0..<Self.rounds {
                        Self.act(as: "\(writer)-\(round)", on: backend, name, history)
                    }
                }
            }
            let harming = DispatchGroup()
            queue.async(group: harming) { [lines] in
                while !isOver.withLock({ $0 }) {
                    let line = lines.randomElement()
                    line?.change { $0.answersToLose += 2 }
                    usleep(60_000)
                    line?.change { $0.isCut = true }
                    usleep(40_000)
                    line?.change { $0.isCut = false }
                }
            }
            await Self.end(of: writing)
            isOver.withLock { $0 = true }
            await Self.end(of: harming)
            let end = try #require(try first.read(name))
            #expect(history.flaws(in: Self.words(end)) == [])
            #expect(history.acknowledged > 0)
            for (line, backend) in zip(lines, backends) {
                line.change { $0 = FaultyLine.State() }
                #expect(try backend.read(name) == end)
            }
        }
    }

    private static func end(of group: DispatchGroup) async {
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
    }

    /// Reads, and adds a word if no one else wrote in between; retries a few times otherwise.
    private static func act(
        as word: String,
        on backend: ObjectBackend,
        _ name: DocumentName,
        _ history: WriteHistory,
    ) {
        for attempt in 0..<4 {
            let begun = ContinuousClock.now
            guard let there = try? backend.read(name) else { continue }
            history.read(words(there), from: begun)
            let own = "\(word).\(attempt)"
            let bytes = there.bytes + Array("\(own)\n".utf8)
            let sent = ContinuousClock.now
            do throws(StoreFailure) {
                _ = try backend.write(bytes, to: name, if: .version(there.version))
                return history.wrote(own, .done, from: sent)
            } catch {
                guard case .conflict = error else {
                    history.wrote(own, .unknown, from: sent)
                    continue
                }
                history.wrote(own, .refused, from: sent)
            }
        }
    }

    private static func words(_ document: StoredDocument) -> [String] {
        String(decoding: document.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `the history finds what is lost, doubled, out of order, stale or from nowhere`() {
        let start = ContinuousClock.now
        func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }
        let history = WriteHistory()
        history.wrote("a", .done, from: at(0), to: at(1))
        history.wrote("b", .done, from: at(2), to: at(3))
        history.wrote("c", .refused, from: at(2), to: at(3))
        history.wrote("d", .unknown, from: at(2), to: at(3))
        history.read(["a"], from: at(1), to: at(2))
        #expect(history.flaws(in: ["a", "b"]) == [])
        #expect(history.flaws(in: ["a", "d", "b"]) == [])
        #expect(history.flaws(in: ["a"]) == ["b acknowledged and lost"])
        #expect(history.flaws(in: ["a", "b", "b"]) == ["b twice"])
        #expect(history.flaws(in: ["a", "b", "c"]) == ["c refused and done"])
        #expect(history.flaws(in: ["a", "b", "e"]) == ["e of nobody"])
        #expect(history.flaws(in: ["b", "a"]).contains("b before a, which had ended"))
        history.read(["a"], from: at(4), to: at(5))
        #expect(history.flaws(in: ["a", "b"]) == ["b not seen after it had ended"])
    }
}
