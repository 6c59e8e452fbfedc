import Foundation
import GitRepositories
import Identifiers
import MirrorBuilds
import Mirrors
import Pages
import Releases
import Store
import Versions

/// The mirrors that match a search, and the newest builds of all mirrors that match it.
struct MirrorSearch {
    /// The most builds searched of a mirror.
    static let mostBuilds = 20
    /// The most mirrors whose builds are searched.
    private static let mostMirrors = 50

    private let query: String
    private let words: [FoldedText]
    private let visit: AdminRequest

    init(_ query: String, _ visit: AdminRequest) {
        self.query = query.lowercased()
        words = query.split(separator: " ").map { FoldedText($0) }
        self.visit = visit
    }

    func sections() throws -> [SearchPage.Section] {
        let mirrors = try visit.store.unlessDamaged { try visit.store.mirrors().mirrors } ?? []
        let named = mirrors.filter { mirror in
            let text = FoldedText("\(mirror.name) \(mirror.address)")
            return words.allSatisfy { text.contains($0) }
        }
        return [
            SearchPage.Section(
                "Mirrors",
                named.prefix(SearchPage.length).map {
                    SearchPage.Row(
                        $0.name.rawValue,
                        $0.address.description,
                        url: visit.links.mirror($0.name),
                    )
                },
                total: named.count,
                allURL: visit.links.mirrors,
            ),
            SearchPage.Section("Builds", try builds(of: mirrors)),
        ]
    }

    private func builds(of mirrors: [Mirror]) throws -> [SearchPage.Row] {
        var rows: [SearchPage.Row] = []
        for mirror in mirrors.prefix(Self.mostMirrors) where rows.count < SearchPage.length {
            let runs = try visit.store.unlessDamaged {
                try visit.store.runs(of: mirror.name, count: Self.mostBuilds)
            }
            for run in (runs ?? []).filter(matches).prefix(SearchPage.length - rows.count) {
                let facts = [
                    run.state.rawValue, "commit \(run.commit.shortCommit)",
                    Wording.ago(run.queued, at: visit.now),
                ]
                rows.append(
                    SearchPage.Row(
                        "\(mirror.name) build \(run.number): \(run.subject)",
                        facts.joined(separator: ", "),
                        url: visit.links.build(run.number, of: mirror.name),
                    )
                )
            }
        }
        return rows
    }

    /// Matches the build's number, the start of its commit, or words of its mirror, tag, branch or
    /// version.
    private func matches(_ run: MirrorRun) -> Bool {
        let number = query.hasPrefix("#") ? String(query.dropFirst()) : query
        if "\(run.number)" == number { return true }
        if query.utf8.count >= 7, run.commit.lowercased().hasPrefix(query) { return true }
        let text = FoldedText("\(run.mirror) \(run.subject) \(run.version ?? "")")
        return words.allSatisfy { text.contains($0) }
    }
}
