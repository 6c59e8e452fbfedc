import Store

/// What is said of uploads under way is where their bytes are: in the folder of this machine.
///
/// No other server could continue one, so none is to take it up, or to end it, because it restarts.
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

    /// The journal is in the bucket, so nothing makes one step of the two; an upload has no entries.
    private func add(_ entry: JournalEntry?) throws(StoreFailure) {
        guard let entry else { return }
        for line in entry.lines { try append(line, to: entry.journal, unless: []) }
    }
}

extension DocumentName {
    /// Whether it is about an upload under way, or the folder of those.
    var isOfUploads: Bool { components.first == DocumentName.uploads.components.first }
}
