import Cryptography
import Foundation
import Store
import StoreFixtures
import TestSupport

/// A place for one store, of a kind of back end that the suites of the store run through.
struct StorePlace: Sendable {
    enum Kind: CaseIterable, Sendable {
        case folder, memory
        /// In SeaweedFS, and in moto.
        case object, otherObject

        /// Those that every suite runs through: a second object store only in the long run, because
        /// each change there is a dozen requests.
        static let allCases: [Kind] =
            ProcessInfo.processInfo.environment["OTA_LONG"] == nil
            ? installed.filter { $0 != .otherObject } : installed

        /// Those that can run here: object stores only where `scripts/tools` has installed one.
        static let installed: [Kind] = {
            let engines = ObjectEngine.Kind.here
            for engine in ObjectEngine.Kind.allCases where !engines.contains(engine) {
                print("skipped: the store in \(engine.rawValue), which scripts/tools installs")
            }
            return local + (engines.contains(.seaweed) ? [.object] : [])
                + (engines.contains(.moto) ? [.otherObject] : [])
        }()

        /// Those of one machine: tests can make what they keep older, and one server has each.
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
    /// Where a test may put files beside the store.
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

    /// What paths of this machine begin with that belong to no store: `-backup.tar` is one.
    var beside: String { folder + "store" }

    /// A back end as another process has one on the same store.
    func backend() throws -> any Backend {
        if let objects { return try objects.backend() }
        guard kind == .folder else { return memory }
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        return try DirectoryBackend(root: root)
    }

    /// The store as another process opens it.
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

    /// Adds bytes at the end of those under a path.
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

    /// Changes one byte of a blob.
    func rot(_ blob: SHA256Digest) throws {
        let path = Self.path(of: blob)
        var bytes = bytes(at: path) ?? []
        bytes[bytes.count / 2] ^= 1
        try put(bytes, at: path)
    }

    /// An object store sets the times itself.
    private struct NoAging: Error {}

    /// Makes a blob old, in a place of ``Kind/local``.
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

/// Runs with a place that is there for one test.
func withPlace(
    _ kind: StorePlace.Kind,
    _ body: (StorePlace) async throws -> Void,
) async throws {
    try await withTemporaryFolder { folder in
        try await body(try await StorePlace(kind, in: folder))
    }
}
