import Cryptography
import Foundation
import Store
import StoreFixtures
import TestSupport

/// A location for a store, in one of the back ends with which the tests of the store run.
struct StorePlace: Sendable {
    enum Kind: CaseIterable, Sendable {
        case folder, memory
        /// SeaweedFS and moto.
        case object, otherObject

        /// The back ends of every test: the second object store only in a long run, because each change there
        /// takes a dozen requests.
        static let allCases: [Kind] =
            ProcessInfo.processInfo.environment["OTA_LONG"] == nil
            ? installed.filter { $0 != .otherObject } : installed

        /// The back ends that can run here: object stores only if `scripts/tools` has installed them.
        static let installed: [Kind] = {
            let engines = ObjectEngine.Kind.here
            for engine in ObjectEngine.Kind.allCases where !engines.contains(engine) {
                print("skipped: the store in \(engine.rawValue), which scripts/tools installs")
            }
            return local + (engines.contains(.seaweed) ? [.object] : [])
                + (engines.contains(.moto) ? [.otherObject] : [])
        }()

        /// The local back ends: tests can change the age of their objects, and each has only one server.
        static let local: [Kind] = [.folder, .memory]

        var engine: ObjectEngine.Kind? {
            switch self {
            case .folder, .memory: nil
            case .object: .seaweed
            case .otherObject: .moto
            }
        }
    }

    let kind: Kind
    /// A folder for a test's files next to the store.
    let folder: String
    private let memory: MemoryBackend
    private let objects: ObjectPlace?

    init(_ kind: Kind, in folder: URL) async throws {
        self.kind = kind
        self.folder = folder.path()
        memory = MemoryBackend(location: folder.path() + "store")
        objects =
            if let engine = kind.engine {
                try ObjectPlace(in: folder, on: try await ObjectEngine.running(engine))
            } else {
                nil
            }
    }

    /// The store's location.
    var root: String { objects?.root ?? folder + "store" }

    /// A prefix of local paths outside of the store, for suffixes such as `-backup.tar`.
    var beside: String { folder + "store" }

    /// A back end on the same store, like another process's.
    func backend() throws -> any Backend {
        if let objects { return try objects.backend() }
        guard kind == .folder else { return memory }
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        return try DirectoryBackend(root: root)
    }

    /// Opens the store as another process does.
    func open() throws -> OTAStore { try OTAStore.open(on: backend()) }

    func openOrCreate(now: Date = .now) throws -> OTAStore {
        try OTAStore.openOrCreate(on: backend(), now: now)
    }

    // MARK: Behind the store's back

    /// The bytes under a path inside the store.
    func bytes(at path: String) -> [UInt8]? {
        switch kind {
        case .folder: FileManager.default.contents(atPath: "\(root)/\(path)").map { Array($0) }
        case .memory: memory.object(at: path)
        case .object, .otherObject: try? objects?.bytes(at: path)
        }
    }

    /// Replaces the bytes under a path.
    func put(_ bytes: some Sequence<UInt8>, at path: String) throws {
        switch kind {
        case .folder: try Data(bytes).write(to: URL(filePath: "\(root)/\(path)"))
        case .memory: memory.setObject(Array(bytes), at: path)
        case .object, .otherObject: try objects?.put(Array(bytes), at: path)
        }
    }

    /// Appends bytes to those under a path.
    func append(_ bytes: some Sequence<UInt8>, to path: String) throws {
        if let objects { return try objects.append(Array(bytes), to: path) }
        guard kind == .folder else {
            return try put((self.bytes(at: path) ?? []) + bytes, at: path)
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: "\(root)/\(path)"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    /// Removes what is under a path.
    func remove(_ path: String) throws {
        switch kind {
        case .folder: try FileManager.default.removeItem(atPath: "\(root)/\(path)")
        case .memory: memory.setObject(nil, at: path)
        case .object, .otherObject: try objects?.remove(path)
        }
    }

    /// Every path inside the store.
    func paths() throws -> [String] {
        switch kind {
        case .folder: try FileManager.default.subpathsOfDirectory(atPath: root)
        case .memory: memory.paths
        case .object, .otherObject: try objects?.paths() ?? []
        }
    }

    /// Corrupts a byte of a blob.
    func rot(_ blob: SHA256Digest) throws {
        let path = Self.path(of: blob)
        var bytes = bytes(at: path) ?? []
        bytes[bytes.count / 2] ^= 1
        try put(bytes, at: path)
    }

    /// Object stores set the times themselves.
    private struct NoAging: Error {}

    /// Makes a blob appear old, in a back end of ``Kind/local``.
    func age(_ blob: SHA256Digest, by seconds: Int) throws {
        switch kind {
        case .folder:
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -Double(seconds))],
                ofItemAtPath: "\(root)/\(Self.path(of: blob))",
            )
        case .memory: memory.age(blob, by: seconds)
        case .object, .otherObject: throw NoAging()
        }
    }

    static func path(of blob: SHA256Digest) -> String {
        "blobs/sha256/\(blob.description.prefix(2))/\(blob)"
    }
}

/// Runs `body` with a new location, which is removed afterwards.
func withPlace(
    _ kind: StorePlace.Kind,
    _ body: (StorePlace) async throws -> Void,
) async throws {
    try await withTemporaryFolder { folder in
        try await body(try await StorePlace(kind, in: folder))
    }
}
