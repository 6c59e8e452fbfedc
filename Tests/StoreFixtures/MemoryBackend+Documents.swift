package import Store
import Synchronization

/// Documents: the previous version is next to its document, with the same name as in a folder.
extension MemoryBackend {
    private static let suffix = "@previous"

    package func read(_ name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        let found = try state.withLock { state throws(StoreFailure) in try state.present(name) }
        if found == nil { try requireStore() }
        return found.map { StoredDocument(bytes: $0.bytes) }
    }

    package func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion {
        try requireStore()
        return try change { state throws(StoreFailure) in
            try state.write(bytes, to: name, if: condition)
        }
    }

    package func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry,
    ) throws(StoreFailure) -> DocumentVersion {
        try requireStore()
        return try change { state throws(StoreFailure) in
            let version = try state.write(bytes, to: name, if: condition)
            state.add(entry.lines, to: entry.journal)
            return version
        }
    }

    package func delete(
        _ name: DocumentName,
        at version: DocumentVersion,
    ) throws(StoreFailure) {
        try change { state throws(StoreFailure) in try state.delete(name, at: version) }
    }

    package func delete(
        _ name: DocumentName,
        at version: DocumentVersion,
        adding entry: JournalEntry,
    ) throws(StoreFailure) {
        try change { state throws(StoreFailure) in
            try state.delete(name, at: version)
            state.add(entry.lines, to: entry.journal)
        }
    }

    /// A document and its journal entry are one change, so nothing is left to complete.
    package func completeEntries() {}

    package func names(in folder: DocumentName) throws(StoreFailure) -> [String] {
        let names = state.withLock { state in
            let prefix = folder.path + "/"
            let names = state.objects.keys.lazy.filter { $0.hasPrefix(prefix) }
                .compactMap { $0.dropFirst(prefix.count).split(separator: "/").first }
            return Set(names.map(String.init))
        }
        if names.isEmpty { try requireStore() }
        return names.filter(DocumentName.isAllowed).sorted()
    }

    package func stamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp? {
        let change = try state.withLock { state throws(StoreFailure) -> Int? in
            if let folder = state.folders[name.path] { return folder }
            return try state.present(name)?.change
        }
        if change == nil { try requireStore() }
        return change.map { ChangeStamp(values: [$0], isSettled: true) }
    }

    package func changeStamp(of top: String) throws(StoreFailure) -> ChangeStamp? { nil }

    package func confirm(_ name: DocumentName) throws(StoreFailure) {}

    package func previous(of name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        object(at: name.path + Self.suffix).map { StoredDocument(bytes: $0) }
    }

    package func undone(of name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        object(at: name.path + "@undone").map { StoredDocument(bytes: $0) }
    }

    package func forgetPrevious(of name: DocumentName) throws(StoreFailure) {
        try change { state throws(StoreFailure) in
            state.remove(name.path + "@undone")
            state.remove(name.path + Self.suffix)
            if name.hasGenerations, let bytes = state.objects[name.path]?.bytes {
                state.put(bytes, at: name.path + Self.suffix)
            }
        }
    }

    package func documents() throws(StoreFailure) -> [DocumentName] {
        paths.filter { !$0.hasPrefix("blobs/") && !$0.hasPrefix("incoming/") }
            .compactMap { try? DocumentName(path: $0) }
    }

    package func lostDocuments() throws(StoreFailure) -> [DocumentName] {
        state.withLock { state in
            state.objects.keys.sorted()
                .filter { $0.hasSuffix(Self.suffix) }
                .map { String($0.dropLast(Self.suffix.count)) }
                .filter { state.objects[$0] == nil }
                .compactMap { try? DocumentName(path: $0) }
        }
    }

    package func keepEarlierGenerations() throws(StoreFailure) {
        for name in try documents() where name.hasGenerations {
            try change { state throws(StoreFailure) in
                guard let bytes = state.objects[name.path]?.bytes,
                    state.objects[name.path + Self.suffix] == nil
                else { return }
                state.put(bytes, at: name.path + Self.suffix)
            }
        }
    }
}

extension MemoryBackend.State {
    fileprivate mutating func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion {
        let previous = name.path + "@previous"
        let there = condition == .lost ? objects[name.path] : try present(name)
        switch condition {
        case .absent, .lost:
            guard there == nil else { throw .conflict(name) }
        case .version(let version), .undone(let version):
            guard let there, DocumentVersion(of: there.bytes) == version else {
                throw .conflict(name)
            }
        }
        switch condition {
        case .absent where name.hasGenerations: put(bytes, at: previous)
        case .version: put(there?.bytes ?? [], at: previous)
        case .undone: put(there?.bytes ?? [], at: name.path + "@undone")
        default: break
        }
        put(bytes, at: name.path)
        return DocumentVersion(of: bytes)
    }

    fileprivate mutating func delete(
        _ name: DocumentName,
        at version: DocumentVersion,
    ) throws(StoreFailure) {
        guard let there = try present(name), DocumentVersion(of: there.bytes) == version else {
            throw .conflict(name)
        }
        remove(name.path + "@undone")
        remove(name.path + "@previous")
        remove(name.path)
    }

    fileprivate func present(_ name: DocumentName) throws(StoreFailure) -> MemoryBackend.Object? {
        if let object = objects[name.path] { return object }
        guard objects[name.path + "@previous"] == nil else { throw .lost(name) }
        return nil
    }
}
