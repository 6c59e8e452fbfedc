import Cryptography
import Foundation
import HTTPCalling
@testable import ObjectStore
@testable import S3
import Store
import Synchronization
import TestSupport

/// A store in a folder of a bucket in a running object store.
struct ObjectPlace: Sendable {
    let client: S3Client
    let prefix: String
    /// A local folder for each back end.
    let folder: String
    private let conditions: S3Client.Conditions

    static let bucket = "ota-store-tests"

    init(in folder: URL, on engine: ObjectEngine) throws {
        prefix = folder.lastPathComponent
        self.folder = folder.path()
        client = try Self.client(of: engine)
        do {
            try client.pages(under: prefix, most: 1) { _ in false }
        } catch S3Failure.noBucket {
            let creation = S3Call(method: "PUT", action: "s3:CreateBucket")
            // Another test may have created it already.
            _ = try? client.caller.outcome(of: creation)
        }
        conditions = try Self.conditions(of: client, at: prefix + "/@trial", on: engine.kind)
    }

    /// How each engine handles conditional writes, tested once.
    private static let tried = Mutex<[ObjectEngine.Kind: S3Client.Conditions]>([:])

    private static func conditions(
        of client: S3Client,
        at key: String,
        on kind: ObjectEngine.Kind,
    ) throws -> S3Client.Conditions {
        if let known = tried.withLock({ $0[kind] }) { return known }
        let found = try client.conditions(at: key, identifier: identifier)
        tried.withLock { $0[kind] = found }
        return found
    }

    static func client(of engine: ObjectEngine) throws -> S3Client {
        let endpoint = try S3Endpoint(engine.url, allowsPlainText: true)
        return S3Client(
            S3Caller(
                bucket: try S3Bucket(bucket, endpoint: endpoint),
                credentials: S3Credentials(
                    accessKey: ObjectEngine.accessKey,
                    secret: ObjectEngine.secret,
                ),
                transport: try connection.get(),
                timing: .real { .now },
            )
        )
    }

    /// Shared in the whole process, since closing its connections takes a moment each time.
    static let connection = Result { try CallClient(connecting: 10, connections: 32) }

    var root: String { "s3://\(Self.bucket)/\(prefix)" }

    /// A back end like another server's; all share the spool, like those on one machine.
    func backend() throws -> ObjectBackend {
        let spool = folder + "spool"
        try FileManager.default.createDirectory(atPath: spool, withIntermediateDirectories: true)
        return try ObjectBackend(
            client: client,
            prefix: prefix,
            spool: spool,
            conditions: conditions,
            identifier: Self.identifier,
        )
    }

    /// A back end of another server on the same store.
    static func backend(
        like other: ObjectBackend,
        through line: FaultyLine?,
        spool: String? = nil,
        leases: LeaseTiming = LeaseTiming(),
        news: NewsTiming = NewsTiming(),
    ) throws -> ObjectBackend {
        let client = S3Client(
            S3Caller(
                bucket: other.client.bucket,
                credentials: S3Credentials(
                    accessKey: ObjectEngine.accessKey,
                    secret: ObjectEngine.secret,
                ),
                transport: try line ?? connection.get(),
                timing: .real { .now },
            )
        )
        return try ObjectBackend(
            client: client,
            prefix: other.keys.prefix,
            spool: spool ?? other.spool.root,
            conditions: other.conditions,
            leases: leases,
            news: news,
            identifier: identifier,
        )
    }

    static let identifier: @Sendable () -> String = {
        SHA256Digest(of: randomBytes(16)).description.prefix(16).description
    }

    // MARK: Behind the store's back

    func bytes(at path: String) throws -> [UInt8]? {
        guard isJournal(path) else { return try object(at: key(path)) }
        let segments = try segments(of: path)
        return segments.isEmpty ? nil : try segments.flatMap { try object(at: $0) ?? [] }
    }

    func put(_ bytes: [UInt8], at path: String) throws {
        guard isJournal(path) else { return try write(bytes, at: key(path)) }
        try remove(path)
        try write(bytes, at: ObjectKeys(prefix: prefix).segments(DocumentName(path: path)) + zero)
    }

    func append(_ bytes: [UInt8], to path: String) throws {
        guard isJournal(path), let last = try segments(of: path).last else {
            return try put((self.bytes(at: path) ?? []) + bytes, at: path)
        }
        try write((object(at: last) ?? []) + bytes, at: last)
    }

    func remove(_ path: String) throws {
        for key in isJournal(path) ? try segments(of: path) : [key(path)] {
            _ = try client.delete(key)
        }
    }

    func paths() throws -> [String] {
        let keys = ObjectKeys(prefix: prefix)
        let paths = try client.list(under: keys.root).objects
            .filter { !keys.isInternal($0.key) }
            .map { keys.name(of: $0.key)?.path ?? keys.path($0.key) }
        return Set(paths).sorted()
    }

    private let zero = String(repeating: "0", count: 16)

    private func key(_ path: String) -> String { prefix + "/" + path }

    private func isJournal(_ path: String) -> Bool {
        (try? DocumentName(path: path))?.isJournal == true
    }

    private func segments(of path: String) throws -> [String] {
        try client.list(under: key(path) + "/").objects.map(\.key)
    }

    private func object(at key: String) throws -> [UInt8]? {
        guard case .found(let object) = try client.read(key) else { return nil }
        return object.bytes
    }

    private func write(_ bytes: [UInt8], at key: String) throws {
        _ = try client.write(S3Write(bytes, to: key, if: .none, identifier: Self.identifier()))
    }
}
