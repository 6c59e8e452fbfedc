import Bytes
import Cryptography
import Essentials
import Store

/// What a command knew of the store when it ended, for the next one on this machine: then that one asks only
/// what has been announced since, as a server does.
///
/// It is kept in the spool, with the mode of everything there, and has no secrets. What it says decides
/// nothing: every change is a conditional write, which the store refuses if anything here is out of date.
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
    /// Tells the store from every other one.
    let place: String
    /// Of the page of news; a page that was started again has another one.
    let page: String
    /// The latest announcement that was known.
    let number: Int
    let saved: Date
    /// By paths.
    var objects: [String: Object] = [:]
    var absent: [String] = []
    var lists: [String: List] = [:]
    var journals: [String: Journal] = [:]
    /// Small blobs, by their digests.
    var blobs: [String: Data] = [:]

    /// For how long it counts: a change that its writer could not announce any more is found by then.
    static let validity: TimeInterval = 24 * 3_600
    /// Bytes of one object that is kept, and of all of them.
    static let largest = 128 << 10
    static let most = 2 << 20

    /// Forgets what an announcement since then is about.
    ///
    /// - Returns: false if nothing of it counts any more.
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

    /// Forgets the lists in which something may be new; what is deeper down changes none as long as its folder
    /// is in it.
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

/// What a process that keeps its knowledge has to remember for that.
struct Recollection: Sendable {
    /// The announcements that were known when it began.
    let number: Int
    /// What may still have been changing then, because it had just been announced.
    let unsettled: [NewsPage.Entry]
    /// Its own announcements.
    var own: Set<Int> = []
    /// Whether one of them may be among those of others.
    var isBlurred = false
    /// Small blobs that it has put, or knew before.
    var blobs: [SHA256Digest: [UInt8]] = [:]
}
