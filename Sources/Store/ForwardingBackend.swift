package import Bytes
package import Cryptography

/// A backend that forwards calls to another one; a conforming type implements only what differs.
package protocol ForwardingBackend: Backend {
    var inner: any Backend { get }
}

extension ForwardingBackend {
    package var location: String { inner.location }

    package var localFolder: LocalFolder? { inner.localFolder }

    package var workFolder: LocalFolder? { inner.workFolder }

    package func obstacle() throws(StoreFailure) -> StoreFailure? { try inner.obstacle() }

    package func noteStore() { inner.noteStore() }

    package func claimForServer() throws(StoreFailure) -> (any ServerLease)? {
        try inner.claimForServer()
    }

    package func claim(_ work: String) throws(StoreFailure) -> (any WorkLease)? {
        try inner.claim(work)
    }

    package func secretProblems() throws(StoreFailure) -> [StoreProblem] {
        try inner.secretProblems()
    }

    package func tightenSecrets() throws(StoreFailure) -> [String] { try inner.tightenSecrets() }

    package func documents() throws(StoreFailure) -> [DocumentName] { try inner.documents() }

    package func lostDocuments() throws(StoreFailure) -> [DocumentName] {
        try inner.lostDocuments()
    }

    package func keepEarlierGenerations() throws(StoreFailure) {
        try inner.keepEarlierGenerations()
    }

    package func withWritersWaiting(
        _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        try inner.withWritersWaiting(body)
    }

    package func sweep() throws(StoreFailure) -> Int { try inner.sweep() }

    package func read(_ name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        try inner.read(name)
    }

    package func names(in folder: DocumentName) throws(StoreFailure) -> [String] {
        try inner.names(in: folder)
    }

    package func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion {
        try inner.write(bytes, to: name, if: condition)
    }

    package func delete(_ name: DocumentName, at version: DocumentVersion) throws(StoreFailure) {
        try inner.delete(name, at: version)
    }

    package func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry,
    ) throws(StoreFailure) -> DocumentVersion {
        try inner.write(bytes, to: name, if: condition, adding: entry)
    }

    package func delete(
        _ name: DocumentName,
        at version: DocumentVersion,
        adding entry: JournalEntry,
    ) throws(StoreFailure) {
        try inner.delete(name, at: version, adding: entry)
    }

    package func completeEntries() { inner.completeEntries() }

    package func stamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp? {
        try inner.stamp(of: name)
    }

    package func changeStamp(of top: String) throws(StoreFailure) -> ChangeStamp? {
        try inner.changeStamp(of: top)
    }

    package func confirm(_ name: DocumentName) throws(StoreFailure) { try inner.confirm(name) }

    package func previous(of name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        try inner.previous(of: name)
    }

    package func undone(of name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        try inner.undone(of: name)
    }

    package func forgetPrevious(of name: DocumentName) throws(StoreFailure) {
        try inner.forgetPrevious(of: name)
    }

    package func append(
        _ line: [UInt8],
        to journal: DocumentName,
        unless recorded: [[UInt8]],
    ) throws(StoreFailure) {
        try inner.append(line, to: journal, unless: recorded)
    }

    package func lines(of journal: DocumentName) throws(StoreFailure) -> [[UInt8]] {
        try inner.lines(of: journal)
    }

    package func lines(
        of journal: DocumentName,
        from offset: Int,
        count: Int,
    ) throws(StoreFailure) -> [JournalLine] {
        try inner.lines(of: journal, from: offset, count: count)
    }

    package func lines(
        of journal: DocumentName,
        endingBy end: Int,
        within length: Int,
    ) throws(StoreFailure) -> [JournalLine] {
        try inner.lines(of: journal, endingBy: end, within: length)
    }

    package func end(of journal: DocumentName) throws(StoreFailure) -> Int {
        try inner.end(of: journal)
    }

    package func startOfLine(
        in journal: DocumentName,
        near offset: Int,
    ) throws(StoreFailure) -> Int {
        try inner.startOfLine(in: journal, near: offset)
    }

    package func overwrite(
        _ old: [UInt8],
        with new: [UInt8],
        in journal: DocumentName,
    ) throws(StoreFailure) {
        try inner.overwrite(old, with: new, in: journal)
    }

    package func blank(
        _ range: Range<Int>,
        of journal: DocumentName,
    ) throws(StoreFailure) {
        try inner.blank(range, of: journal)
    }

    package func stamp(of blob: SHA256Digest) throws(StoreFailure) -> ChangeStamp? {
        try inner.stamp(of: blob)
    }

    package func earlyPut(of source: any ByteSource) -> (any EarlyPut)? {
        inner.earlyPut(of: source)
    }

    package func receive() throws(StoreFailure) -> any IncomingBlob { try inner.receive() }

    package func upload(_ name: String) throws(StoreFailure) -> any ResumableBlob {
        try inner.upload(name)
    }

    package func uploadSize(_ name: String) throws(StoreFailure) -> Int? {
        try inner.uploadSize(name)
    }

    package func removeUpload(_ name: String) throws(StoreFailure) { try inner.removeUpload(name) }

    package func uploads() throws(StoreFailure) -> [String] { try inner.uploads() }

    package func freeSpace() throws(StoreFailure) -> Int? { try inner.freeSpace() }

    package func open(_ blob: SHA256Digest) throws(StoreFailure) -> StoredBlob {
        try inner.open(blob)
    }

    package func file(of blob: SHA256Digest) throws(StoreFailure) -> String {
        try inner.file(of: blob)
    }

    package var isElsewhere: Bool { inner.isElsewhere }

    package func fileAtHand(of blob: SHA256Digest) throws(StoreFailure) -> String? {
        try inner.fileAtHand(of: blob)
    }

    package func fetchFile(
        of blob: SHA256Digest,
        _ done: @escaping @Sendable (Result<String, StoreFailure>) -> Void,
    ) {
        inner.fetchFile(of: blob, done)
    }

    package func isKnownDamaged(_ blob: SHA256Digest) -> Bool { inner.isKnownDamaged(blob) }

    package func facts(of blob: SHA256Digest) throws(StoreFailure) -> BlobFacts? {
        try inner.facts(of: blob)
    }

    package func blobs() throws(StoreFailure) -> [SHA256Digest] { try inner.blobs() }

    package func delete(
        _ blob: SHA256Digest,
        unlessPutWithin seconds: Int,
    ) throws(StoreFailure) -> Bool {
        try inner.delete(blob, unlessPutWithin: seconds)
    }
}
