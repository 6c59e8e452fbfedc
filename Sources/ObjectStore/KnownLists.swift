import Store
import Synchronization

/// The names in folders, as they were under a stamp.
final class KnownLists: Sendable {
    struct List: Sendable {
        let stamp: ChangeStamp
        /// Of documents, journals and folders, in order.
        let names: [String]
        /// Everything that is directly in the folder, earlier generations too.
        let keys: Set<String>
        /// When the store was asked for it; what this process added since is here without asking.
        let asked: ContinuousClock.Instant
    }

    private let lists = Mutex<[DocumentName: List]>([:])

    var all: [DocumentName: List] { lists.withLock { $0 } }

    subscript(_ folder: DocumentName) -> List? {
        get { lists.withLock { $0[folder] } }
        set { lists.withLock { $0[folder] = newValue } }
    }

    /// Adds what this process has just written at or below a folder.
    ///
    /// - Parameters:
    ///   - name: of the document or journal.
    ///   - stamp: its own.
    ///   - place: the folder, one of those above it.
    ///   - before: the folder’s stamp without it.
    /// - Returns: the folder’s stamp with it, and when the store was asked for the list; nil where it is not
    ///   known.
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
        // The stamp of a folder is made of the documents that are directly in it.
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
