import APIDocuments
import Bytes
import Foundation
import Identifiers
import Releases

extension RunDocument {
    /// The state, in the colour of its meaning.
    func painted(_ style: Style) -> Table.Cell {
        switch state {
        case .succeeded: Table.Cell(state.rawValue, paint: style.good)
        case .failed, .interrupted: Table.Cell(state.rawValue, paint: style.bad)
        case .cancelled, .skipped: Table.Cell(state.rawValue, paint: style.warning)
        case .running where wait != nil: Table.Cell(stateWords, paint: style.warning)
        case .queued, .running: Table.Cell(state.rawValue, paint: style.strong)
        }
    }

    /// The result of the build, as a sentence.
    func sentence(_ style: Style) -> String {
        let time = seconds.map { " in \($0) s" } ?? ""
        let words = "Build \(number) of \(mirror.printable), \(subject.printable): "
        let reason = self.reason.map { ": \($0.printable)" } ?? ""
        let end = reason.hasSuffix(".") ? "" : "."
        return words + painted(style).paint(stateWords) + time + reason + end
    }

    /// The errors and failed tests in the build's log, one line each.
    func issueLines(_ style: Style) -> [String] {
        (issues ?? []).map { issue in
            let place = issue.place.map { style.strong($0.printable) + ": " } ?? ""
            return style.bad(issue.kind.title + ":") + " " + place
                + issue.message.printable
        }
    }
}

/// One mirror, after it was added or changed.
struct MirrorResult: CommandResult {
    let document: MirrorEntryDocument

    func text(style: Style) -> String { document.mirror.sentences(style) }
}

extension MirrorDocument {
    /// The tags and branches that are built, and when the mirror syncs.
    func sentences(_ style: Style) -> String {
        var lines = ["\(style.strong(name.printable)) mirrors \(address.printable)."]
        let tags = tags.joined(separator: " ").printable
        let branches = branches.joined(separator: " ").printable
        let behind = prefix.map { " after \($0.printable)" } ?? ""
        lines.append(
            "Builds tags \(tags) that name a version\(behind), and branches \(branches) as dev."
        )
        lines += (remarks ?? []).map { style.warning("note:") + " " + $0.printable }
        if let apps {
            lines.append("Publishes \(apps.joined(separator: " ").printable) only.")
        }
        if isPaused {
            lines.append("It is paused: it does not sync or build, and ignores pushes.")
        } else if let interval {
            lines.append("A running server syncs every \(interval.grouped) seconds.")
        } else if !hasHookSecret {
            lines.append(
                "It does not sync automatically: give --interval, or --hook-secret-file for webhooks."
            )
        }
        if hasHookSecret, !isPaused {
            lines.append("Receives webhooks at /hooks/\(name.printable).")
        }
        if let credentials, !credentials.isEmpty {
            let words = credentials.map(\.words.printable).joined(separator: ", ")
            lines.append("It fetches with \(words).")
        }
        if !variables.isEmpty {
            let names = variables.joined(separator: " ").printable
            lines.append("Its trusted builds get the secrets \(names).")
        }
        if user != nil || isolation != "none" {
            let who = user.map { "as \($0.printable)" }
            let place = isolation == "none" ? nil : "in \(isolation.printable)"
            let words = [who, place].compactMap(\.self).joined(separator: ", ")
            lines.append("Its builds run \(words).")
        }
        if let readFolders, isolation != "none" {
            lines.append("Its builds can read \(readFolders.joined(separator: " ").printable).")
        }
        lines.append(style.faint(limits))
        return lines.joined(separator: "\n")
    }

    private var limits: String {
        let parts = [
            "\(timeLimit) s", "files of \(sizeLimit) MB",
            memoryLimit.map { "processes of \($0) MB" },
            diskLimit.map { "\($0) MB on the disk" },
        ]
        return "Limits of a build: \(parts.compactMap(\.self).joined(separator: ", "))."
    }
}

/// Builds, with their steps and artifacts.
struct RunResult: CommandResult {
    let document: RunsDocument

    init(_ builds: [RunDocument]) {
        document = RunsDocument(builds: builds)
    }

    func text(style: Style) -> String {
        document.builds.map { Self.text($0, style) }.joined(separator: "\n\n")
    }

    private static func text(_ run: RunDocument, _ style: Style) -> String {
        var lines = [run.sentence(style)]
        lines += run.warnings.map { "  " + style.warning("note:") + " " + $0.printable }
        lines += run.issueLines(style).map { "  " + $0 }
        for step in run.steps {
            let time = step.seconds.map { ", \($0) s" } ?? ""
            let reason = step.reason.map { ": \($0.printable)" } ?? ""
            let place = step.runner.map { ", on \($0.printable)" } ?? ""
            lines.append(
                "  \(step.name.printable): \(step.state.rawValue)\(time)\(place)\(reason)"
            )
        }
        for artifact in run.artifacts {
            let detail =
                artifact.release.map { " \(artifact.app ?? "") \($0)".printable }
                ?? artifact.detail.map { ": \($0.printable)" } ?? ""
            let outcome =
                artifact.outcome == .notInstallable
                ? "kept, not installable" : artifact.outcome.rawValue
            lines.append("  \(artifact.path.printable): \(outcome)\(detail)")
        }
        return lines.joined(separator: "\n")
    }
}

extension RunDocument {
    /// What the build is waiting for; nil if it is not waiting for a runner.
    private var wait: String? {
        guard state == .running else { return nil }
        return waitingFor.map {
            "waiting for a runner with \(RunnerLabel.words(for: $0).printable)"
                + (waitingReason.map { ": \($0.printable)" } ?? "")
        }
    }

    /// `running`, or `waiting for a runner with the label mac`.
    var stateWords: String { wait ?? state.rawValue }
}
