import Bytes
import Cryptography
import Foundation
import Mirrors
import Releases
import Store
import TestSupport
import Testing

@Suite struct HookTests {
    private static let secret = "0123456789abcdef0123456789abcdef"

    private static func code(_ body: String, _ secret: String = secret) -> String {
        Hex.encode(authenticationCode(of: Array(body.utf8), key: Array(secret.utf8)))
    }

    private static func room(in folder: URL) async throws -> MirrorRoom {
        let room = try await MirrorRoom(in: folder)
        let mirror = try room.add()
        try room.store.changeSecrets(of: mirror.name) { $0.hook = secret }
        return room
    }

    private static func take(
        _ fields: [String: String],
        _ body: String,
        in room: MirrorRoom,
        for name: String = "app",
    ) throws -> HookService.Answer {
        try take(fields, Array(body.utf8), in: room.store, for: name)
    }

    /// Works as the server does: the secret first, and the body in pieces.
    private static func take(
        _ fields: [String: String],
        _ body: [UInt8],
        in store: OTAStore,
        for name: String = "app",
    ) throws -> HookService.Answer {
        let desk = HookService(in: store)
        var reception = HookReception(fields: fields, secret: try desk.secret(of: name))
        for start in stride(from: 0, to: body.count, by: 1000) {
            reception.update(body[start..<min(start + 1000, body.count)])
        }
        return try desk.take(reception.finish(), for: name)
    }

    @Test func `each git host's signature is known, and each delivery counts once`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await Self.room(in: folder)
            let hosts: [(String, [String: String])] = [
                (
                    "{\"a\":1}",
                    [
                        "x-hub-signature-256": "sha256=\(Self.code("{\"a\":1}"))",
                        "x-github-event": "push", "x-github-delivery": "1",
                    ],
                ),
                (
                    "{\"a\":2}",
                    [
                        "x-gitea-signature": Self.code("{\"a\":2}"),
                        "x-gitea-event": "create", "x-gitea-delivery": "2",
                    ],
                ),
                (
                    "{\"a\":3}",
                    [
                        "x-gitlab-token": Self.secret, "x-gitlab-event": "Tag Push Hook",
                        "x-gitlab-event-uuid": "3",
                    ],
                ),
                ("4", ["x-ota-signature": "sha256=\(Self.code("4"))"]),
            ]
            for (body, fields) in hosts {
                try room.store.changeMirrorState(room.mirror().name) { $0.isDue = false }
                #expect(try Self.take(fields, body, in: room) == .accepted)
                #expect(try room.store.mirrorState(room.mirror().name).isDue)
                try room.store.changeMirrorState(room.mirror().name) { $0.isDue = false }
                // Another process, which knows only what is on disk.
                let again = try OTAStore.open(at: folder.appending(path: "store").path())
                #expect(try Self.take(fields, Array(body.utf8), in: again) == .repeated)
                #expect(try !room.store.mirrorState(room.mirror().name).isDue)
            }
        }
    }

    @Test func `what is no push is ignored, and what is no JSON is refused`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await Self.room(in: folder)
            func answer(_ event: String, _ body: String) throws -> HookService.Answer {
                try Self.take(
                    [
                        "x-hub-signature-256": "sha256=\(Self.code(body))", "x-github-event": event,
                        "content-type": "application/json",
                    ],
                    body,
                    in: room,
                )
            }
            #expect(try answer("ping", "{}") == .ignored)
            #expect(try answer("star", "{}") == .ignored)
            #expect(try answer("push", "{") == .malformed)
            let deep = String(repeating: "[", count: 100_000)
            #expect(try answer("push", deep) == .malformed)
            #expect(try !room.store.mirrorState(room.mirror().name).isDue)
        }
    }

    /// Each differs from a valid one in a byte, a field or its form; and the valid one is repeated.
    @Test func `ten thousand forged and replayed deliveries start nothing`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await Self.room(in: folder)
            let body = "{\"ref\":\"refs/tags/v1.0.0\",\"after\":\"0123456789\"}"
            let right = Self.code(body)
            let good = [
                "x-hub-signature-256": "sha256=\(right)", "x-github-event": "push",
                "x-github-delivery": "first",
            ]
            #expect(try Self.take(good, body, in: room) == .accepted)
            try room.store.changeMirrorState(room.mirror().name) { $0.isDue = false }
            let before = try room.store.mirrorState(room.mirror().name)

            var random = SeededGenerator(seed: 46)
            var answers: [HookService.Answer: Int] = [:]
            for index in 0..<10_000 {
                var fields = good
                var said = Array(body.utf8)
                fields["x-github-delivery"] = "forged \(index)"
                switch index % 10 {
                case 0:
                    said[Int(random.next() % UInt64(said.count))] ^= 1 << UInt8(random.next() % 8)
                case 1: said.append(UInt8(ascii: " "))
                case 2:
                    var hex = Array(right.utf8)
                    let place = Int(random.next() % UInt64(hex.count))
                    hex[place] =
                        hex[place] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
                    fields["x-hub-signature-256"] =
                        "sha256=" + String(decoding: hex, as: UTF8.self)
                case 3: fields["x-hub-signature-256"] = "sha1=\(right.prefix(40))"
                case 4: fields["x-hub-signature-256"] = right
                case 5: fields["x-hub-signature-256"] = nil
                case 6:
                    fields["x-hub-signature-256"] = "sha256=" + Self.code(body, "another \(index)")
                case 7: fields["x-gitlab-token"] = "not the secret \(index)"
                case 8: fields["x-gitea-signature"] = String(right.dropLast(2))
                default: break
                }
                answers[try Self.take(fields, said, in: room.store), default: 0] += 1
            }
            // One in ten is the first delivery again, under another identifier, which is not signed.
            #expect(answers == [.unauthorised: 9000, .repeated: 1000])
            #expect(try room.store.mirrorState(room.mirror().name) == before)
            #expect(try room.store.runNumbers(of: room.mirror().name).isEmpty)
            #expect(try Self.take(good, body, in: room, for: "other") == .unauthorised)
            #expect(try Self.take(good, body, in: room, for: "../app") == .unauthorised)
        }
    }

    @Test func `a mirror without a secret takes no webhook`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try room.add()
            let fields = ["x-ota-signature": "sha256=\(Self.code("x", ""))", "x-gitlab-token": ""]
            #expect(try Self.take(fields, "x", in: room) == .unauthorised)
        }
    }
}
