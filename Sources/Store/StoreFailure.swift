import Bytes
package import Cryptography
package import Problems

/// Why an operation of the store failed; the existing data is unchanged.
package enum StoreFailure: ReportableError, Equatable {
    /// The operating system reported an error.
    case system(SystemFailure)
    /// The server of a remote store refused, or could not be reached.
    case elsewhere(Problem)
    /// Another process changed or created the document after it was read.
    case conflict(DocumentName)
    /// Another process has held the lock for longer than any operation takes.
    case locked(path: String, seconds: Int)
    /// The lease has expired, and another server may have taken over the work.
    case leaseLost
    /// Another server is running on the store.
    case alreadyServed(path: String)
    /// The document is not the JSON that is expected; `offset` is in bytes, nil if unknown.
    case unreadable(path: String, offset: Int?, reason: String)
    /// The document was written by a newer version of ota.
    case newerSchema(path: String, found: Int, known: Int)
    /// There is no document with this name.
    case missing(path: String)
    /// The document is missing although it existed: its earlier generation, or other data that proves it,
    /// still exists.
    case lost(DocumentName)
    /// The folder was a store when it was opened, and no longer is.
    case gone(path: String)
    /// A restore into the folder was interrupted.
    case unfinishedRestore(path: String)
    /// A copy of the store at `source` to the place was interrupted; `source` is nil if it is not recorded.
    case unfinishedCopy(path: String, source: String?)
    /// The place has an interrupted copy of another store, or of one at another place.
    case otherCopy(path: String, source: String?)
    /// The document was never changed, or its earlier generation was deleted.
    case noEarlierGeneration(DocumentName)
    /// No restore has undone a version of the document.
    case nothingUndone(DocumentName)
    /// The document exists, and therefore cannot start empty.
    case present(DocumentName)
    /// The folder is neither a store nor empty.
    case notAStore(path: String)
    /// The name cannot be used as a path.
    case unusableName(String)
    /// The blob does not exist although something refers to it.
    case missingBlob(SHA256Digest)
    /// The bytes of the blob do not match its digest.
    case damagedBlob(SHA256Digest, path: String)
    /// The backup cannot be restored.
    case badBackup(path: String, reason: String)
    /// The target folder is not empty.
    case notEmpty(path: String)
    /// The target of a copy is inside its source.
    case insideSource(path: String)
}

extension StoreFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let failure): failure.description
        case .elsewhere(let problem): problem.message
        case .conflict(let name): "another process changed \(name) at the same time"
        case .locked(let path, let seconds):
            "another process has held the lock \(path) for more than \(seconds) seconds"
        case .leaseLost: "this server stalled, and another one has taken over its work"
        case .alreadyServed(let path): "another server is running on the store \(path)"
        case .unreadable(let path, let offset, let reason):
            "\(path) cannot be read" + (offset.map { " at byte \($0)" } ?? "") + ": \(reason)"
        case .newerSchema(let path, let found, let known):
            "\(path) has schema \(found), but this version of ota knows only up to \(known)"
        case .missing(let path): "there is no \(path)"
        case .lost(let name): "\(name) is missing, although ota did not delete it"
        case .gone(let path): "\(path) no longer has a store.json: the store is not there"
        case .unfinishedRestore(let path): "a restore into \(path) was interrupted"
        case .unfinishedCopy(let path, let source):
            "\(path) is an unfinished copy of \(source ?? "another store")"
        case .otherCopy(let path, let source):
            "\(path) has an unfinished copy of \(source ?? "another store"), not of this store"
        case .noEarlierGeneration(let name): "there is no previous version of \(name)"
        case .nothingUndone(let name): "no undone version of \(name) is kept"
        case .present(let name): "\(name) is not missing"
        case .notAStore(let path): "\(path) is not a store: it has files but no store.json"
        case .unusableName(let name): "\(quoted: name) cannot be a name in the store"
        case .missingBlob(let digest): "the file \(digest) is missing from the store"
        case .damagedBlob(_, let path): "the file \(path) is damaged: its bytes have changed"
        case .badBackup(let path, let reason): "\(path) cannot be restored: \(reason)"
        case .notEmpty(let path): "\(path) is not empty"
        case .insideSource(let path): "\(path) is inside the store that is to be copied"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .system(let failure): failure.kind
        case .elsewhere(let problem): problem.kind
        case .present, .notEmpty, .insideSource, .alreadyServed, .otherCopy: .conflict
        case .missing, .noEarlierGeneration, .nothingUndone: .notFound
        case .unusableName, .notAStore, .badBackup: .invalid
        case .conflict, .locked, .leaseLost: .busy
        case .unreadable, .newerSchema, .lost, .gone, .unfinishedRestore, .unfinishedCopy,
            .missingBlob, .damagedBlob:
            .unavailable
        }
    }

    /// A stable identifier for scripts.
    package var id: String {
        switch self {
        case .system(let failure): "store.\(failure.cause.rawValue)"
        case .elsewhere(let problem): problem.id
        case .conflict: "store.conflict"
        case .locked: "store.locked"
        case .leaseLost: "store.lease-lost"
        case .alreadyServed: "store.already-served"
        case .unreadable: "store.unreadable"
        case .newerSchema: "store.newer-schema"
        case .missing: "store.no-document"
        case .lost: "store.lost-document"
        case .gone: "store.gone"
        case .unfinishedRestore: "store.unfinished-restore"
        case .unfinishedCopy: "store.unfinished-copy"
        case .otherCopy: "store.other-copy"
        case .noEarlierGeneration: "store.no-earlier-generation"
        case .nothingUndone: "store.nothing-undone"
        case .present: "store.present"
        case .notAStore: "store.not-a-store"
        case .unusableName: "store.unusable-name"
        case .missingBlob: "store.missing-blob"
        case .damagedBlob: "store.damaged-blob"
        case .badBackup: "store.bad-backup"
        case .notEmpty: "store.not-empty"
        case .insideSource: "store.inside-source"
        }
    }

    /// The path, document or digest concerned.
    package var place: String {
        switch self {
        case .system(let failure): failure.path
        case .elsewhere(let problem): problem.place
        case .conflict(let name), .noEarlierGeneration(let name), .lost(let name),
            .present(let name), .nothingUndone(let name):
            name.path
        case .locked(let path, _), .alreadyServed(let path), .unreadable(let path, _, _),
            .newerSchema(let path, _, _), .missing(let path), .notAStore(let path),
            .badBackup(let path, _), .notEmpty(let path), .insideSource(let path),
            .damagedBlob(_, let path),
            .gone(let path), .unfinishedRestore(let path), .unfinishedCopy(let path, _),
            .otherCopy(let path, _):
            path
        case .unusableName(let name): name
        case .leaseLost: ""
        case .missingBlob(let digest): digest.description
        }
    }

    /// Pages show the fix too, because admins can run commands on the server's machine.
    package var pageFix: String? { fix }

    /// What a user can do about it.
    package var fix: String {
        switch self {
        case .system(let failure): failure.fix
        case .elsewhere(let problem): problem.fix
        case .conflict: "try again"
        case .locked: "find the hanging process with `fuser` on the lock file, and end it"
        case .leaseLost: "there is nothing to do: the other server continues the work"
        case .alreadyServed: "stop the other server, or give another store with --store"
        case .unreadable:
            "restore its previous version with `ota store restore --document`, or the whole store "
                + "from a backup"
        case .newerSchema: "use the newer ota that wrote it, or restore an earlier backup"
        case .missing: "run `ota store verify`, or restore it from a backup"
        case .lost(let name):
            "restore it with `ota store restore --document \(name)`, or the whole store from a "
                + "backup"
        case .gone: "check that the disk with the store is mounted at this path"
        case .unfinishedRestore: "run the same `ota store restore` again"
        case .unfinishedCopy(let path, let source):
            "finish it with `ota store copy \(source ?? "FROM") \(path)`, which continues where it "
                + "stopped"
        case .otherCopy(let path, let source):
            "finish that copy with `ota store copy \(source ?? "FROM") \(path)`, or give another new "
                + "or empty place"
        case .noEarlierGeneration:
            "check the name with `ota store verify`, or restore a backup; without a backup, "
                + "`--empty` creates a lost register again, empty"
        case .nothingUndone:
            "leave out --undone to restore the previous version; what was undone is kept until the "
                + "document is erased"
        case .present: "leave out --empty to restore its previous version"
        case .notAStore: "give an empty folder, or the folder that contains store.json"
        case .unusableName: "use letters, digits, dots, hyphens and underscores"
        case .missingBlob: "publish the same IPA again, or restore a backup"
        case .damagedBlob: "publish the same IPA again, or restore a backup; check the disk"
        case .badBackup: "use another backup"
        case .notEmpty: "give a new or empty folder, or a bucket prefix without objects"
        case .insideSource: "give a place outside the store"
        }
    }
}

extension StoreFailure {
    /// Whether the failure is limited to one document or blob, so that everything else works without it.
    package var concernsOnePlace: Bool {
        switch self {
        case .unreadable, .newerSchema, .lost, .missingBlob, .damagedBlob: true
        case .system(let failure): [.medium, .notPermitted].contains(failure.cause)
        default: false
        }
    }
}

/// Runs file operations and rethrows their errors as those of the store.
func systemCall<Result: ~Copyable>(
    _ body: () throws(SystemFailure) -> Result
) throws(StoreFailure) -> Result {
    do throws(SystemFailure) {
        return try body()
    } catch {
        throw .system(error)
    }
}
