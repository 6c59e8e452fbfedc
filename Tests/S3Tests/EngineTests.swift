import Bytes
import Cryptography
import Foundation
import HTTPCalling
import Synchronization
import TestSupport
import Testing

@testable import S3

/// The behaviour on which the client relies, with each installed S3-compatible store.
struct EngineTests {
    private static let connection = Result { try CallClient(connecting: 10, connections: 32) }
    private static let identifier: @Sendable () -> String = {
        SHA256Digest(of: randomBytes(16)).description.prefix(16).description
    }

    private static func client(
        of kind: ObjectEngine.Kind,
        secret: String = ObjectEngine.secret,
        clock: @escaping @Sendable () -> Date = { .now },
    ) async throws -> (S3Client, prefix: String) {
        let engine = try await ObjectEngine.running(kind)
        let endpoint = try S3Endpoint(engine.url, allowsPlainText: true)
        let caller = S3Caller(
            bucket: try S3Bucket("ota-client-tests", endpoint: endpoint),
            credentials: S3Credentials(accessKey: ObjectEngine.accessKey, secret: secret),
            transport: try connection.get(),
            timing: .real(clock),
        )
        let client = S3Client(caller)
        do {
            if secret == ObjectEngine.secret {
                try client.pages(under: "none", most: 1) { _ in false }
            }
        } catch S3Failure.noBucket {
            // Another test may have created it already.
            _ = try? caller.outcome(of: S3Call(method: "PUT", action: "s3:CreateBucket"))
        } catch S3Failure.clockDiffers {}
        return (client, identifier() + "/")
    }

    private static func put(
        _ bytes: [UInt8],
        _ key: String,
        _ condition: S3Condition = .none,
        in client: S3Client,
    ) throws -> S3WriteOutcome {
        try client.write(S3Write(bytes, to: key, if: condition, identifier: identifier()))
    }

    private static func bytes(_ reading: S3Client.Reading) -> [UInt8]? {
        if case .found(let object) = reading { object.bytes } else { nil }
    }

    @Test(arguments: ObjectEngine.Kind.here)
    func `conditions decide`(kind: ObjectEngine.Kind) async throws {
        let (client, prefix) = try await Self.client(of: kind)
        let found = try client.conditions(at: prefix + "trial", identifier: Self.identifier)
        #expect(found.holdForDeletion)
        #expect(try client.facts(of: prefix + "trial") == nil)
        let none = try Self.put([1], prefix + "none", .unchanged(#require(ETag("1"))), in: client)
        #expect(none == .refused)
    }

    @Test(arguments: ObjectEngine.Kind.here)
    func `an object comes back whole, by ranges, and not at all while it is known`(
        kind: ObjectEngine.Kind
    ) async throws {
        let (client, prefix) = try await Self.client(of: kind)
        let key = prefix + "apps/a+b@c~d.json"
        let write = S3Write(
            Array("hello".utf8),
            to: key,
            if: .absent,
            identifier: "one",
            after: ["two"],
            metadata: ["ota-entry": "x"],
        )
        guard case .stored(let etag) = try client.write(write) else {
            Issue.record("it was not stored")
            return
        }
        guard case .found(let object) = try client.read(key) else {
            Issue.record("it was not found")
            return
        }
        #expect(object.bytes == Array("hello".utf8) && object.facts.etag == etag)
        #expect(object.facts.writes == ["one", "two"])
        #expect(object.facts.metadata["ota-entry"] == "x" && object.facts.size == 5)
        #expect(object.facts.date != nil && object.facts.modified != nil)
        #expect(Self.bytes(try client.read(key, range: 1..<3)) == Array("el".utf8))
        #expect(Self.bytes(try client.read(key, range: 3..<99)) == Array("lo".utf8))
        if case .known = try client.read(key, unless: etag) {} else { Issue.record("not known") }
        let other = try #require(ETag("0"))
        if case .changed = try client.read(key, if: other) {} else { Issue.record("not changed") }
        if case .missing = try client.read(prefix + "none") {} else { Issue.record("not missing") }
        #expect(try client.delete(key) && client.delete(key) && client.facts(of: key) == nil)
    }

    @Test(arguments: ObjectEngine.Kind.here)
    func `an empty object is one`(kind: ObjectEngine.Kind) async throws {
        let (client, prefix) = try await Self.client(of: kind)
        _ = try Self.put([], prefix + "a", in: client)
        #expect(Self.bytes(try client.read(prefix + "a")) == [])
    }

    @Test(arguments: ObjectEngine.Kind.here)
    func `a list has all pages, and the folders of one level`(
        kind: ObjectEngine.Kind
    ) async throws {
        let (client, prefix) = try await Self.client(of: kind)
        let names = (0..<7).map { "a+b \($0)" } + ["x/1", "x/2", "y/1"]
        for name in names { _ = try Self.put([1, 2], prefix + name, in: client) }
        var pages = 0
        var keys: [String] = []
        try client.pages(under: prefix, most: 3) { page throws(S3Failure) in
            pages += 1
            keys += page.objects.map(\.key)
            return true
        }
        #expect(pages >= 4 && keys == names.map { prefix + $0 })
        let level = try client.list(under: prefix, oneLevel: true)
        #expect(level.folders == [prefix + "x/", prefix + "y/"] && level.objects.count == 7)
        #expect(level.objects.allSatisfy { $0.size == 2 && $0.modified != nil && $0.etag != nil })
        let rest = try client.list(under: prefix, after: prefix + "x/1")
        #expect(rest.objects.map(\.key) == [prefix + "x/2", prefix + "y/1"])
    }

    @Test(arguments: ObjectEngine.Kind.here)
    func `a large object goes in parts, and only with the digest that it has`(
        kind: ObjectEngine.Kind
    ) async throws {
        let (client, prefix) = try await Self.client(of: kind)
        var block = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 16) }
        var bytes: [UInt8] = []
        for number in 0..<UInt8(40) {
            block[0] = number
            bytes += block
        }
        let digest = SHA256Digest(of: bytes)
        let source = MemorySource(bytes)
        try client.write(source, digest: digest, to: prefix + "a", identifier: "one")
        #expect(try client.facts(of: prefix + "a")?.size == bytes.count)
        let range = (32 << 20) - 5..<(32 << 20) + 5
        #expect(Self.bytes(try client.read(prefix + "a", range: range)) == Array(bytes[range]))
        #expect(throws: S3Failure.otherBytes(key: prefix + "b")) {
            try client.write(
                source,
                digest: SHA256Digest(of: [1]),
                to: prefix + "b",
                identifier: "two",
            )
        }
        #expect(try client.facts(of: prefix + "b") == nil)
        #expect(try client.abortUploads(under: prefix, olderThan: 0) == 0)
    }

    @Test(arguments: ObjectEngine.Kind.here)
    func `a large object that fails or changes while it is sent never appears`(
        kind: ObjectEngine.Kind
    ) async throws {
        let (client, prefix) = try await Self.client(of: kind)
        let bytes = [UInt8](repeating: 7, count: 17 << 20)
        let digest = SHA256Digest(of: bytes)
        let failing = SecondReading(bytes, later: nil)
        #expect(throws: S3Failure.source(reason: "disk gone")) {
            try client.write(failing, digest: digest, to: prefix + "a", identifier: "one")
        }
        let changed = SecondReading(bytes, later: 8)
        // moto does not verify checksums.
        if kind != .moto {
            #expect(throws: S3Failure.self) {
                try client.write(changed, digest: digest, to: prefix + "a", identifier: "two")
            }
        }
        #expect(try client.facts(of: prefix + "a") == nil)
        #expect(try client.abortUploads(under: prefix, olderThan: 0) == 0)
    }

    @Test(arguments: ObjectEngine.Kind.here)
    func `a large object that is given up leaves nothing, before its parts are sent and after`(
        kind: ObjectEngine.Kind
    ) async throws {
        let (client, prefix) = try await Self.client(of: kind)
        let bytes = [UInt8](repeating: 9, count: 65 << 20)
        for isSent in [false, true] {
            let pending = PendingUpload(
                MemorySource(bytes),
                digest: SHA256Digest(of: bytes),
                to: prefix + "a",
                identifier: "one",
                by: client,
            )
            if isSent { pending.end.wait() }
            pending.giveUp()
            // A command ends now, and nothing else would abort the upload.
            #expect(try client.abortUploads(under: prefix, olderThan: 0) == 0, "\(isSent)")
            #expect(throws: S3Failure.otherBytes(key: prefix + "a")) { try pending.finish() }
            #expect(try client.facts(of: prefix + "a") == nil)
        }
    }

    @Test(arguments: ObjectEngine.Kind.here)
    func `an upload that was left is ended`(kind: ObjectEngine.Kind) async throws {
        let (client, prefix) = try await Self.client(of: kind)
        var call = S3Call(method: "POST", key: prefix + "left", action: "s3:PutObject")
        call.query = [("uploads", "")]
        _ = try client.caller.outcome(of: call)
        // moto reports 2010 as the start of every upload.
        if kind == .seaweed {
            #expect(try client.abortUploads(under: prefix, olderThan: 3_600) == 0)
        }
        #expect(try client.abortUploads(under: prefix, olderThan: 0) == 1)
        #expect(try client.abortUploads(under: prefix, olderThan: 0) == 0)
    }

    @Test(arguments: ObjectEngine.Kind.here)
    func `bytes that changed on the way are refused`(kind: ObjectEngine.Kind) async throws {
        let (client, prefix) = try await Self.client(of: kind)
        var call = S3Call(method: "PUT", key: prefix + "a", action: "s3:PutObject")
        call.body = [1, 2, 3]
        call.headers["x-amz-checksum-sha256"] = S3Client.checksum(SHA256Digest(of: [1, 2, 4]))
        // moto does not verify checksums.
        guard kind != .moto else { return }
        #expect(throws: S3Failure.self) { try client.caller.outcome(of: call) }
        #expect(try client.facts(of: prefix + "a") == nil)
    }

    @Test(arguments: ObjectEngine.Kind.here)
    func `an address that ends reads one object, by the method that it is for`(
        kind: ObjectEngine.Kind
    ) async throws {
        let (client, prefix) = try await Self.client(of: kind)
        _ = try Self.put(Array("hello".utf8), prefix + "a b", in: client)
        func status(_ method: String, _ address: String) throws -> Int {
            try Self.connection.get().waitForAnswer(
                to: CallRequest(
                    method: method,
                    address: address,
                    longestAnswer: 1 << 20,
                    seconds: 10,
                )
            ).status
        }
        let get = try client.caller.address("GET", of: prefix + "a b", lasting: 60)
        #expect(try status("GET", get) == 200)
        let head = try client.caller.address("HEAD", of: prefix + "a b", lasting: 60)
        #expect(try status("HEAD", head) == 200)
        guard kind == .seaweed else { return }
        #expect(try status("HEAD", get) == 403)
        #expect(try status("GET", get.replacing("/a%20b", with: "/b")) == 403)
    }

    @Test(.enabled(if: ObjectEngine.Kind.here.contains(.seaweed)))
    func `a wrong secret and a wrong clock are named`() async throws {
        let (stranger, prefix) = try await Self.client(of: .seaweed, secret: "wrong")
        #expect(throws: S3Failure.keyRefused(code: "SignatureDoesNotMatch")) {
            try stranger.read(prefix + "a")
        }
        let (late, _) = try await Self.client(of: .seaweed) { .now.addingTimeInterval(-3_600) }
        #expect {
            try late.read(prefix + "a")
        } throws: { error in
            guard case S3Failure.clockDiffers(let seconds) = error else { return false }
            return (-3_700 ... -3_500).contains(seconds)
        }
    }

    @Test(arguments: ObjectEngine.Kind.here)
    func `of many writers of one version one wins each time`(
        kind: ObjectEngine.Kind
    ) async throws {
        let (client, prefix) = try await Self.client(of: kind)
        // moto evaluates conditions outside of its lock.
        guard kind != .moto else { return }
        let key = prefix + "counter"
        _ = try Self.put(Array("0".utf8), key, .absent, in: client)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var done = 0
                    while done < 10 {
                        guard case .found(let there) = try client.read(key) else { continue }
                        let next = Int(String(decoding: there.bytes, as: UTF8.self)).map { $0 + 1 }
                        let outcome = try Self.put(
                            Array("\(next ?? -1)".utf8),
                            key,
                            .unchanged(there.facts.etag),
                            in: client,
                        )
                        if outcome != .refused { done += 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(Self.bytes(try client.read(key)) == Array("40".utf8))
    }
}

/// A medium that returns the correct bytes at the first reading, and others afterwards.
private final class SecondReading: ByteSource {
    let count: Int
    private let source: MemorySource
    /// The first byte of each piece from the second reading on; nil for a read error.
    private let later: UInt8?
    private let seen = Mutex(Set<Int>())

    init(_ bytes: [UInt8], later: UInt8?) {
        count = bytes.count
        source = MemorySource(bytes)
        self.later = later
    }

    func read(
        at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer,
    ) throws(SourceFailure) -> Int {
        let count = try unsafe source.read(at: offset, into: buffer)
        let isFirst = seen.withLock { $0.insert(offset).inserted }
        guard !isFirst else { return count }
        guard let later else { throw SourceFailure(offset: offset, reason: "disk gone") }
        unsafe buffer[0] = later
        return count
    }
}
