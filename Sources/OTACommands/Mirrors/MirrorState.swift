import Foundation
import GitMirror
import Releases
import Store

/// A mirror with what it has seen and built.
struct MirrorState {
    let mirror: Mirror
    let following: Following
    let secrets: MirrorSecrets
    /// Newest first.
    let runs: [MirrorRun]

    init(_ mirror: Mirror, in store: OTAStore, runs count: Int = 20) throws {
        self.mirror = mirror
        following = try store.following(mirror.name)
        secrets = try store.secrets(of: mirror.name)
        runs = try store.runs(of: mirror.name, count: count)
    }

    var document: MirrorDocument { MirrorDocument(mirror, following, secrets, runs: runs) }
}

extension MirrorRun {
    /// To the minute, by Greenwich.
    static func moment(_ date: Date) -> String {
        let text = date.formatted(.iso8601)
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5)
    }

    /// `succeeded`, in the colour of what it means.
    func painted(_ style: Style) -> Table.Cell {
        switch state {
        case .succeeded: Table.Cell(state.rawValue, paint: style.good)
        case .failed, .interrupted: Table.Cell(state.rawValue, paint: style.bad)
        case .cancelled, .skipped: Table.Cell(state.rawValue, paint: style.warning)
        case .queued, .running: Table.Cell(state.rawValue, paint: style.strong)
        }
    }

    /// What it came to, as a sentence.
    func sentence(_ style: Style) -> String {
        let time = seconds.map { " in \($0) s" } ?? ""
        let words = "Build \(number) of \(mirror), \(subject.printable): "
        let reason = self.reason.map { ": \($0.printable)" } ?? ""
        return words + painted(style).paint(state.rawValue) + time + reason + "."
    }
}

/// One mirror, after it was added or changed.
struct MirrorResult: CommandResult {
    private let state: MirrorState

    init(_ state: MirrorState) {
        self.state = state
    }

    struct Document: Encodable {
        let schema = 1
        let mirror: MirrorDocument
    }

    var document: Document { Document(mirror: state.document) }

    func text(style: Style) -> String {
        let mirror = state.mirror
        var lines = ["\(style.strong(mirror.name.rawValue)) follows \(mirror.address)."]
        let tags = mirror.tags.map(\.description).joined(separator: " ")
        let branches = mirror.branches.map(\.description).joined(separator: " ")
        lines.append("Builds tags \(tags) that name versions, and branches \(branches) as dev.")
        if let interval = mirror.interval {
            lines.append("A running server looks every \(interval) seconds.")
        } else if state.secrets.hook == nil {
            lines.append(
                "Nothing looks by itself: give --interval, or --hook-secret-file for webhooks."
            )
        }
        return lines.joined(separator: "\n")
    }
}
