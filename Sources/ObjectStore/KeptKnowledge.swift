import Bytes
import Cryptography
import Essentials
import Store

/// The cache of a command when it ended, for the next command on this machine, which then only asks for
/// changes announced since, as a server does.
///
/// It is stored in the spool with the access mode of everything there, without the keys in `keys/`. Its
/// correctness is not critical: every change is a conditional write, which the store rejects if the cache is
/// outdated.
struct KeptKnowledge: Codable, Sendable {
    struct Object: Codable, Sendable {
        let bytes: Data
        let etag: String
        let writes: [String]
        let entry: String?
        let journal: String?
        let previous: String?
    }

    struct List: Codable, Sendable {
        let stamp: [Int]
        let names: [String]
        let keys: [String]
    }

    struct Journal: Codable, Sendable {
        let starts: [Int]
        let bytes: Data
        let etag: String
        let writes: [String]
    }

    var schema = 1
    /// The identifier of the store.
    let place: String
    /// The identifier of the news page; a page that was created again has another one.
    let page: String
    /// The number of the latest known announcement.
    let number: Int
    let saved: Date
    /// By path.
    var objects: [String: Object] = [:]
    var absent: [String] = []
    var lists: [String: List] = [:]
    var journals: [String: Journal] = [:]
    /// Small blobs by digest.
    var blobs: [String: Data] = [:]

    /// How long it is valid, in seconds; a change that its writer could not announce is found by then.
    static let validity: TimeInterval = 24 * 3_600
    /// The maximum bytes of one object and of all of them.
    static let largest = 128 << 10
    static let most = 2 << 20

    /// Forgets everything that has been announced as changed since.
    ///
    /// - Returns: false if none of it is valid any more.
    mutating func keepUp(with page: NewsPage, at now: Date) -> Bool {
        guard page.id == self.page, page.dropped <= number, page.last >= number,
            (0..<Self.validity).contains(now.timeIntervalSince(saved))
        else { return false }
        for entry in page.entries where entry.number > number { forget(entry) }
        return true
    }

    mutating func forget(_ entry: NewsPage.Entry) {
        for path in entry.changed {
            objects[path] = nil
            journals[path] = nil
            absent.removeAll { $0 == path }
        }
        forgetLists(above: entry.changed)
    }

    /// Forgets the lists that may have changed; a change deeper in the tree does not change a list that
    /// already contains its folder.
    mutating func forgetLists(above paths: [String]) {
        for path in paths {
            for folder in ChangesUnderWay.folders(of: path) {
                guard let list = lists[folder] else { continue }
                let rest = path.dropFirst(folder.utf8.count + 1).split(separator: "/")
                let isKnown = rest.first.map { list.keys.contains(String($0)) } == true
                if rest.count <= 2 || !isKnown { lists[folder] = nil }
            }
        }
    }
}

/// The state that a process tracks in order to save its cache.
struct Recollection: Sendable {
    /// The number of the latest announcement when it started.
    let number: Int
    /// Announcements that were so recent then that their changes may not have been made yet.
    let unsettled: [NewsPage.Entry]
    /// The numbers of its own announcements.
    var own: Set<Int> = []
    /// Whether its own announcements can no longer be distinguished from those of others.
    var isBlurred = false
    /// Small blobs that it has put or knew before.
    var blobs: [SHA256Digest: [UInt8]] = [:]
}
