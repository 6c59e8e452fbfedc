import Store

/// Records of unfinished uploads are kept where their bytes are: in the spool of this machine.
///
/// No other server can continue such an upload, so none may find it or, when it restarts, delete it.
extension ObjectBackend {
    func writeLocally(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry?,
    ) throws(StoreFailure) -> DocumentVersion {
        let version = try spool.write(bytes, to: name, if: condition)
        try add(entry)
        return version
    }

    func deleteLocally(
        _ name: DocumentName,
        at version: DocumentVersion,
        adding entry: JournalEntry?,
    ) throws(StoreFailure) {
        try spool.delete(name, at: version)
        try add(entry)
    }

    /// The journal is in the bucket, so the two writes are not atomic; uploads have no entries.
    private func add(_ entry: JournalEntry?) throws(StoreFailure) {
        guard let entry else { return }
        for line in entry.lines { try append(line, to: entry.journal, unless: []) }
    }
}

extension DocumentName {
    /// Whether it is an unfinished upload, or the folder of those.
    var isOfUploads: Bool { components.first == DocumentName.uploads.components.first }
}
