import ArgumentParser
import Bytes
import Foundation
import ObjectStore
import Problems
import S3
import Store

/// The store that a command works on.
struct StoreOptions: ParsableArguments {
    @Option(help: Self.help)
    var store: String?

    @OptionGroup(title: "A store in a bucket") var bucket: BucketOptions

    static let help: ArgumentHelp =
        "The store: a folder, or s3://BUCKET/PREFIX (or OTA_STORE); default: ./ota-store."

    /// The help where the options of a bucket are hidden.
    static let briefHelp: ArgumentHelp = """
        The store: a folder, or s3://BUCKET/PREFIX, with the options that --help-hidden lists (or \
        OTA_STORE); default: ./ota-store.
        """

    func validate() throws {
        guard store?.isEmpty != true else {
            throw ValidationError("--store is empty: give a folder or s3://…, or leave it out")
        }
        if let store, !store.hasBytes(first: "s3://"), let option = bucket.typed.first {
            throw ValidationError("\(option) is for a store in a bucket, such as s3://builds/ota")
        }
    }

    /// The location of the store.
    ///
    /// - Throws: ``MalformedS3Address``, and ``Problem`` for an authority that cannot be read.
    func place(in context: CommandContext) throws -> StorePosition {
        // An empty variable counts as unset: it must not turn the working directory into a store.
        let name = store ?? context.environment["OTA_STORE"].given ?? "./ota-store"
        guard name.hasBytes(first: "s3://") else { return .folder(Self.absolute(name)) }
        return .bucket(try bucket.address(of: name, in: context))
    }

    /// Opens the store for a command that only reads.
    func open(in context: CommandContext) throws -> OTAStore {
        let place = try place(in: context)
        do {
            return try OTAStore.open(on: place.backend(in: context))
        } catch StoreFailure.missing(path: place.location) {
            throw Problem(
                id: "store.no-document",
                kind: .notFound,
                message: "there is no store here yet",
                place: place.location,
                // Some object stores list a bucket that does not exist as an empty one.
                fix: place.isBucket
                    ? "check the names of the bucket and the folder in --store or OTA_STORE; if they are "
                        + "right, `ota publish` creates the store"
                    : "give its place with --store or OTA_STORE; `ota publish`, `ota apps add`, "
                        + "`ota teams add` and `ota devices add` create one",
            )
        }
    }

    /// Opens the store, creating it if it does not exist, for a command that adds something.
    ///
    /// - Parameters:
    ///   - context: the context of the command.
    ///   - cacheSize: the number of bytes of blobs of a store in a bucket that a server caches on this
    ///     machine. The server then tests the bucket's abilities again, even if they were tested within the
    ///     last day. Nil for a command.
    /// - Returns: the store.
    /// - Throws: what ``place(in:)`` and opening throw.
    func openOrCreate(in context: CommandContext, cacheSize: Int? = nil) throws -> OTAStore {
        switch try place(in: context) {
        case .folder(let path):
            try StorePosition.requireUsable(at: path)
            return try OTAStore.openOrCreate(at: path, now: context.now())
        case .bucket(let address):
            let backend = try address.backend(in: context, usesNote: cacheSize == nil)
            if let cacheSize { backend.limitCache(to: cacheSize) }
            return try OTAStore.openOrCreate(on: backend, now: context.now())
        }
    }

    /// Does the same for a command that is usually repeated: for a bucket it begins with what the previous
    /// command learned, and only asks for changes since then.
    ///
    /// - Returns: the store, and a function that keeps what this command has learned, to be called at its
    ///   end.
    func openOrCreateRecalling(
        in context: CommandContext
    ) throws -> (store: OTAStore, keep: @Sendable () -> Void) {
        guard case .bucket(let address) = try place(in: context) else {
            return (try openOrCreate(in: context), {})
        }
        let backend = try address.backend(in: context, usesNote: true, trusting: .seconds(30))
        try backend.recall(at: context.now())
        let store = try OTAStore.openOrCreate(on: backend, now: context.now())
        return (store, { backend.keepKnowledge(at: context.now()) })
    }

    /// The absolute path of the folder; a symbolic link to it is resolved here, but none inside it.
    private static func absolute(_ path: String) -> String {
        let path = URL(filePath: path, directoryHint: .isDirectory).absoluteURL
            .resolvingSymlinksInPath().path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

/// The location of a store: a folder on this machine, or a bucket.
enum StorePosition {
    /// An absolute path without a trailing slash.
    case folder(String)
    case bucket(BucketAddress)

    var isBucket: Bool {
        if case .bucket = self { true } else { false }
    }

    /// The location for messages.
    var location: String {
        switch self {
        case .folder(let path): path
        case .bucket(let address): address.location.description
        }
    }

    /// The backend of the store, whether or not the store exists.
    ///
    /// - Throws: ``StoreFailure/missing(path:)`` if there is no folder, ``Problem`` for a file, and what
    ///   opening a bucket throws.
    func backend(in context: CommandContext) throws -> any Backend {
        switch self {
        case .folder(let path):
            try Self.requireUsable(at: path)
            return try DirectoryBackend(root: path)
        case .bucket(let address): return try address.backend(in: context, usesNote: true)
        }
    }

    /// Whether a folder has the settings of a store, or a copy is making it one.
    static func isStore(at path: String) -> Bool {
        ["store.json", "store.json@previous", "copy.json"].contains {
            FileManager.default.fileExists(atPath: path + "/" + $0)
        }
    }

    /// - Throws: ``Problem`` if a file has that name, or if root would write to the store of a server that
    ///   runs as another user.
    static func requireUsable(at path: String) throws {
        var isFolder: ObjCBool = false
        guard
            unsafe !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                || isFolder.boolValue
        else {
            throw Problem(
                id: "store.not-a-folder",
                kind: .invalid,
                message: "a store is a folder, but this is a file",
                place: path,
                fix: "give another path with --store or OTA_STORE",
            )
        }
        if let owner = otherOwner(of: path) {
            throw Problem(
                id: "store.other-owner",
                kind: .refused,
                message: "the store belongs to the user \(owner), whose server could not read what "
                    + "root writes into it",
                place: path,
                fix: "run the command as that user: `sudo -u \(owner) ota … --store \(path)`",
            )
        }
    }

    /// The owner of a store if root runs the command and another user's server has the store.
    private static func otherOwner(of path: String) -> String? {
        var status = stat()
        guard geteuid() == 0, unsafe stat(path, &status) == 0, status.st_uid != 0,
            FileManager.default.fileExists(atPath: path + "/store.json")
        else { return nil }
        guard let entry = unsafe getpwuid(status.st_uid) else { return "#\(status.st_uid)" }
        return unsafe String(cString: entry.pointee.pw_name)
    }
}

/// The format of a command's output.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false
}
