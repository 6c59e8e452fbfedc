import Store
import Synchronization

/// The names in folders, each valid for a stamp.
final class KnownLists: Sendable {
    struct List: Sendable {
        let stamp: ChangeStamp
        /// The sorted names of documents, journals and folders.
        let names: [String]
        /// Everything directly in the folder, including earlier generations.
        let keys: Set<String>
        /// When the list was requested; names that this process added since are included.
        let asked: ContinuousClock.Instant
    }

    private let lists = Mutex<[DocumentName: List]>([:])

    var all: [DocumentName: List] { lists.withLock { $0 } }

    subscript(_ folder: DocumentName) -> List? {
        get { lists.withLock { $0[folder] } }
        set { lists.withLock { $0[folder] = newValue } }
    }

    /// Adds a document or journal that this process has just written to the list of a folder that contains
    /// it.
    ///
    /// - Parameters:
    ///   - name: the document or journal.
    ///   - stamp: its stamp.
    ///   - place: the folder.
    ///   - before: the folder’s stamp before the change.
    /// - Returns: the folder’s stamp after the change, and when the list was requested; nil if the list is
    ///   not known.
    func add(
        _ name: DocumentName,
        _ stamp: ChangeStamp,
        to place: String,
        _ before: ChangeStamp,
    ) -> NewsInMemory.Relisted? {
        guard let folder = try? DocumentName(path: place),
            name.components.count > folder.components.count
        else { return nil }
        let child = name.components[folder.components.count]
        // The stamp of a folder is computed from the documents directly in it.
        let isDirect = name.components.count == folder.components.count + 1 && !name.isJournal
        return lists.withLock { lists in
            guard let list = lists[folder], list.stamp == before else { return nil }
            if !isDirect, list.keys.contains(child) {
                return NewsInMemory.Relisted(stamp: before, asked: list.asked)
            }
            let names = list.keys.contains(child) ? list.names : (list.names + [child]).sorted()
            var keys = list.keys.union([child])
            if isDirect, name.hasGenerations { keys.insert(child + DocumentName.previousSuffix) }
            let after = ObjectBackend.stamp("\(before.values) \(child) \(stamp.values)")
            lists[folder] = List(stamp: after, names: names, keys: keys, asked: list.asked)
            return NewsInMemory.Relisted(stamp: after, asked: list.asked)
        }
    }
}
