import ArgumentParser
import Foundation
import Problems
import Store

/// Which store a command works on, and whether it answers in JSON.
struct StoreOptions: ParsableArguments {
    @Option(help: Self.help)
    var store: String?

    static let help: ArgumentHelp = "The store folder (or OTA_STORE); default ./ota-store."

    func validate() throws {
        guard store?.isEmpty != true else {
            throw ValidationError("--store is empty: give the path of a folder, or leave it out")
        }
    }

    /// The folder, made absolute; a link to it is followed here, and nowhere inside it.
    func folder(in context: CommandContext) -> URL {
        // An empty variable is none: it must not make a store of the folder that one is in.
        let path = store ?? context.environment["OTA_STORE"].given ?? "./ota-store"
        return URL(filePath: path, directoryHint: .isDirectory).absoluteURL
            .resolvingSymlinksInPath()
    }

    /// The store, for a command that only looks.
    func open(in context: CommandContext) throws -> OTAStore {
        let path = try folderPath(in: context)
        do {
            return try OTAStore.open(at: path)
        } catch .missing(path: path) {
            throw Problem(
                id: "store.no-document",
                kind: .notFound,
                message: "there is no store here yet",
                place: path,
                fix: "give its folder with --store or OTA_STORE; `ota publish`, `ota apps add`, "
                    + "`ota teams add` and `ota devices add` create one",
            )
        }
    }

    /// The store, made when there is none yet, for a command that puts something into it.
    func openOrCreate(in context: CommandContext) throws -> OTAStore {
        try OTAStore.openOrCreate(at: folderPath(in: context), now: context.now())
    }

    /// - Throws: ``Problem`` when a file has that name.
    private func folderPath(in context: CommandContext) throws -> String {
        let path = path(in: context)
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
        return path
    }

    /// Who owns a store, where root runs the command and someone else's server the store.
    private func otherOwner(of path: String) -> String? {
        var status = stat()
        guard geteuid() == 0, unsafe stat(path, &status) == 0, status.st_uid != 0,
            FileManager.default.fileExists(atPath: path + "/store.json")
        else { return nil }
        guard let entry = unsafe getpwuid(status.st_uid) else { return "#\(status.st_uid)" }
        return unsafe String(cString: entry.pointee.pw_name)
    }

    func path(in context: CommandContext) -> String {
        let path = folder(in: context).path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

/// How a command answers.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false
}
