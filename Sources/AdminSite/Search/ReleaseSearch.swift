import Administration
import Bytes
import Foundation
import Identifiers
import Pages
import Releases
import Store
import Versions

/// The releases that match a search by version, build or commit, of all apps or of those that it names.
struct ReleaseSearch {
    /// The most releases that are searched for a commit.
    static let mostRead = 200
    /// The most apps that a search may name; all versions of each are searched.
    private static let mostApps = 6

    private let visit: AdminRequest
    private let apps: [BundleIdentifier: AppRecord]
    /// The versions and builds in the query.
    private let numbers: [String]
    /// The words of an app's name in the query.
    private let words: [String]
    private let commit: String?

    /// - Parameters:
    ///   - query: an admin's input: `2.4`, `browsey 2.4.0 (318)`, `4f2a9c1`.
    ///   - apps: the apps that they may see.
    ///   - visit: the admin's request.
    init(_ query: String, _ apps: [AppRecord], _ visit: AdminRequest) {
        self.visit = visit
        self.apps = Dictionary(apps.map { ($0.bundleIdentifier, $0) }) { first, _ in first }
        let parts = query.split(separator: " ").map(String.init)
        numbers = parts.compactMap(Self.number)
        words = parts.filter { Self.number($0) == nil }
        commit = parts.count == 1 ? Self.commit(query) : nil
    }

    func rows() throws -> [SearchPage.Row] {
        var found: [NewestRelease.Name] = []
        if let commit { found += try releases(of: commit) }
        if !numbers.isEmpty {
            found += words.isEmpty ? try newest() : try ofNamedApps()
        }
        var seen: Set<NewestRelease.Name> = []
        return try found.filter { seen.insert($0).inserted }.prefix(SearchPage.length)
            .compactMap(row)
    }

    private func row(_ name: NewestRelease.Name) throws -> SearchPage.Row? {
        guard let app = apps[name.app],
            let release = try visit.store.unlessDamaged({
                try visit.store.release(name.release, of: name.app)
            })
        else { return nil }
        let facts = [
            "published \(Wording.ago(release.published, at: visit.now))",
            release.withdrawal == nil ? nil : "withdrawn",
            release.commit.map { "commit \($0.shortCommit)" },
        ]
        return SearchPage.Row(
            "\(app.title) \(release.version) (\(release.build))",
            facts.compactMap(\.self).joined(separator: ", "),
            url: visit.links.release(name.release, of: app.slug),
        )
    }

    /// Returns the matches among the releases in memory, newest first.
    private func newest() throws -> [NewestRelease.Name] {
        try known().lazy.filter { matches($0.release) }.prefix(SearchPage.length).map(\.self)
    }

    private func known() throws -> [NewestRelease.Name] {
        try NewestRelease.all(in: visit.store, ofEach: NewestRelease.usualCount)
            .filter { apps[$0.app] != nil }
            .map { NewestRelease.Name(app: $0.app, release: $0.release) }
    }

    private func ofNamedApps() throws -> [NewestRelease.Name] {
        let query = AppsQuery(search: words.joined(separator: " "))
        let named = apps.values.filter(query.names).sorted { $0.title < $1.title }
        return try named.prefix(Self.mostApps).flatMap { app in
            try visit.store.releaseIdentifiers(of: app.bundleIdentifier).lazy
                .filter(matches).prefix(SearchPage.length)
                .map { NewestRelease.Name(app: app.bundleIdentifier, release: $0) }
        }
    }

    private func releases(of commit: String) throws -> [NewestRelease.Name] {
        try known().prefix(Self.mostRead).filter { name in
            let release = try visit.store.unlessDamaged {
                try visit.store.release(name.release, of: name.app)
            }
            return release?.commit?.lowercased().hasPrefix(commit) == true
        }
    }

    /// Returns whether every number is the start of the release's version, or its build.
    private func matches(_ release: ReleaseIdentifier) -> Bool {
        let text = release.rawValue
        return numbers.allSatisfy { text.hasPrefix($0) || text.hasSuffix("-" + $0) }
    }

    /// Returns `2.4.0` for `v2.4.0` and `318` for `(318)`; nil for any other word.
    private static func number(_ word: String) -> String? {
        var bytes = Array(word.lowercased().utf8)[...]
        if bytes.first == UInt8(ascii: "("), bytes.last == UInt8(ascii: ")") {
            bytes = bytes.dropFirst().dropLast()
        }
        if bytes.first == UInt8(ascii: "v") { bytes = bytes.dropFirst() }
        guard let first = bytes.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the word in lower case if it is seven or more hexadecimal digits; nil otherwise.
    private static func commit(_ word: String) -> String? {
        let digits = word.lowercased()
        let isHex = digits.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        return isHex && (7...64).contains(digits.utf8.count) ? digits : nil
    }
}

extension NewestRelease {
    /// Identifies one release of one app.
    struct Name: Hashable {
        let app: BundleIdentifier
        let release: ReleaseIdentifier
    }
}
