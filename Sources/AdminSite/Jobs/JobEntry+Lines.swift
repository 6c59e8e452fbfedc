import APIDocuments
import Bytes
import Foundation
import Identifiers
import Jobs
import Pages
import Problems
import Releases
import Store

// Jobs, as parts of pages.

extension JobEntry {
    /// Returns the job as a line of a list.
    func line(_ visit: AdminRequest) -> JobLine {
        JobLine(
            title: title.prefix(1).uppercased() + title.dropFirst(),
            url: visit.links.job(id),
            state: state.rawValue
                + (progress.map { ", \(Int($0.fraction * 100))%" } ?? ""),
            tone: tone,
            asked: "\(Wording.ago(created, at: visit.now)), \(by)",
            reason: reason.map { Wording.sentence($0) },
            fix: pageFix,
            next: nextWords(at: visit.now),
            isOpen: !state.isOver,
        )
    }

    /// The fix in words for a page.
    var pageFix: String? {
        guard state != .done, let fix else { return nil }
        return PageProblem(
            Problem(id: "job.failed", kind: .failed, message: reason ?? state.rawValue, fix: fix)
        ).fix
    }

    private func nextWords(at date: Date) -> String? {
        guard state == .waiting, let next, next > date else { return nil }
        let words = attempts > 0 ? "next attempt" : "continues"
        return "\(words) \(Wording.soon(next, at: date))"
    }

    private var tone: String {
        switch state {
        case .waiting: attempts > 0 || fix != nil ? "warn" : "accent"
        case .running: "accent"
        case .done: "good"
        case .failed: "bad"
        case .cancelled: "quiet"
        }
    }

    /// Returns the job's details, as rows of a table.
    func facts(_ visit: AdminRequest) throws -> [JobPage.Fact] {
        var facts: [JobPage.Fact] = []
        let record = try app.flatMap { BundleIdentifier($0) }.flatMap { try visit.store.app($0) }
        if let app {
            facts.append(
                .init("App", record?.title ?? app, url: record.map { visit.links.app($0.slug) })
            )
        }
        if let release = release.flatMap({ ReleaseIdentifier($0) }) {
            let url = record.map { visit.links.release(release, of: $0.slug) }
            facts.append(.init("Release", release.words, url: url))
        }
        if let devices { facts.append(.init("Devices", "\(devices)")) }
        facts.append(.init("Requested by", "\(by), \(Wording.moment(created))"))
        facts.append(.init("Changed", Wording.moment(changed)))
        if let next { facts.append(.init("Next", Wording.moment(next))) }
        facts.append(.init("Attempts", "\(attempts)"))
        facts.append(.init("Identifier", id))
        return facts
    }
}
