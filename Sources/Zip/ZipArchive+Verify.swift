import Bytes
import Synchronization

/// Receives the contents of one entry while ``ZipArchive/verify(threads:progress:sink:)`` reads it.
///
/// Created, fed and finished on one thread.
package protocol EntrySink {
    /// Receives the next bytes, which are valid only during the call.
    mutating func take(_ window: UnsafeRawBufferPointer)

    /// Called after the last byte, once size and CRC-32 were checked; never for a refused entry.
    mutating func finish()
}

extension ZipArchive {
    /// Reads every entry once and checks its size and CRC-32, on several threads.
    ///
    /// - Parameters:
    ///   - threads: at least one; the machine may provide fewer.
    ///   - progress: called from any thread with the number of compressed bytes read so far, which only
    ///     increases.
    ///   - isRead: false for entries that need not be read because their bytes are already known.
    ///   - sink: called for each entry, from any thread; returns nil for an entry that is only checked.
    /// - Throws: the ``ZipRefusal`` of the first refused entry in directory order, regardless of the
    ///   order of reading.
    package func verify(
        threads: Int,
        progress: (@Sendable (Int) -> Void)? = nil,
        among isRead: (ZipEntry) -> Bool = { _ in true },
        sink: (@Sendable (ZipEntry) -> (any EntrySink)?)? = nil,
    ) throws(ZipRefusal) {
        let pass = VerifyPass(self, among: isRead, progress: progress, sink: sink)
        WorkerThread.run(on: threads) { pass.work() }
        if let refusal = pass.refusal { throw refusal }
    }
}

/// The state of one verification that its threads share.
private final class VerifyPass: Sendable {
    /// Large enough to make the overhead of calls negligible, and small enough for a core's cache.
    private static let window = 256 << 10

    private let archive: ZipArchive
    private let progress: (@Sendable (Int) -> Void)?
    private let sink: (@Sendable (ZipEntry) -> (any EntrySink)?)?
    /// Largest entry first, so that no thread finishes long after the others.
    private let order: [Int]
    private let next = Atomic<Int>(0)
    private let done = Mutex<Int>(0)
    private let first = Mutex<(index: Int, refusal: ZipRefusal)?>(nil)
    /// The index of that refusal, which is asked for each entry.
    private let limit = Atomic<Int>(.max)

    init(
        _ archive: ZipArchive,
        among isRead: (ZipEntry) -> Bool,
        progress: (@Sendable (Int) -> Void)?,
        sink: (@Sendable (ZipEntry) -> (any EntrySink)?)?,
    ) {
        self.archive = archive
        self.progress = progress
        self.sink = sink
        let entries = archive.entries
        order = entries.indices.filter { isRead(entries[$0]) }.sorted {
            entries[$0].size > entries[$1].size
        }
    }

    var refusal: ZipRefusal? { first.withLock { $0?.refusal } }

    func work() {
        var index = 0
        do throws(ZipRefusal) {
            try withInflater(window: Self.window) { (inflater) throws(ZipRefusal) in
                // Once for all entries: threads that count the same references slow each other down.
                let (entries, source) = (archive.entries, archive.source)
                while let taken = take() {
                    index = taken
                    do throws(ZipRefusal) {
                        try verify(entries[taken], of: source, with: inflater)
                    } catch {
                        record(error, at: taken)
                    }
                }
            }
        } catch {
            record(error, at: index)
        }
    }

    /// The next entry that can still change the result: one before the first refused entry.
    private func take() -> Int? {
        while true {
            let position = next.add(1, ordering: .relaxed).oldValue
            guard position < order.count else { return nil }
            if order[position] < limit.load(ordering: .relaxed) { return order[position] }
        }
    }

    private func record(_ refusal: ZipRefusal, at index: Int) {
        first.withLock { known in
            guard index < known?.index ?? .max else { return }
            known = (index, refusal)
            limit.store(index, ordering: .relaxed)
        }
    }

    private func verify(
        _ entry: ZipEntry,
        of source: any ByteSource,
        with inflater: borrowing Inflater,
    ) throws(ZipRefusal) {
        var sink = sink?(entry)
        try unsafe inflater.read(entry, from: source, fed: advance) { window in
            unsafe sink?.take(window)
            return true
        }
        sink?.finish()
    }

    private func advance(by count: Int) {
        guard let progress, count > 0 else { return }
        done.withLock { total in
            total += count
            progress(total)
        }
    }
}
