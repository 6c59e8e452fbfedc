import Administration
import Identifiers
import MirrorBuilds
import Pages
import Releases

// Builds of mirrors, as lines of pages.

extension MirrorRun {
    func line(_ visit: AdminRequest) -> BuildLine {
        BuildLine(
            number: "Build \(number)",
            url: visit.links.build(number, of: mirror),
            state: waiting ?? state.rawValue,
            tone: tone,
            subject: subject,
            version: version == subject || tag.map { $0.hasSuffix(version ?? "") } == true
                ? nil : version,
            asked: "\(Wording.ago(queued, at: visit.now)), \(actor)",
            took: seconds.map { $0 < 60 ? "\($0) s" : "\($0 / 60) min \($0 % 60) s" },
            reason: reason ?? (try? visit.administrator.waitingReason(of: self)),
        )
    }

    /// The runner that the build waits for; nil if it waits for none.
    private var waiting: String? {
        guard let waitingFor, !state.isOver else { return nil }
        return "waiting for a runner with \(RunnerLabel.words(for: waitingFor.map(\.rawValue)))"
    }

    private var tone: String {
        switch state {
        case .queued, .running: "accent"
        case .succeeded: "good"
        case .failed, .interrupted: "bad"
        case .skipped, .cancelled: "warn"
        }
    }
}

extension BuildIssue {
    var line: BuildPage.Line {
        let place = place.map { $0 + " · " } ?? ""
        return BuildPage.Line(title: message, tone: "bad", detail: place + kind.title)
    }
}

extension MirrorRun.Step {
    var line: BuildPage.Line {
        let tone =
            switch state {
            case .waiting, .skipped: ""
            case .running: "accent"
            case .failed: "bad"
            case .succeeded: "good"
            }
        return BuildPage.Line(
            title: name,
            tone: tone,
            detail: (reason ?? state.rawValue) + (runner.map { ", on \($0)" } ?? ""),
            note: seconds.map { "\($0) s" },
        )
    }
}

extension MirrorRun.Artifact {
    /// Returns the line of an artifact; `url` is its download path, shown if the artifact was kept.
    func line(_ url: String) -> BuildPage.Line {
        let (tone, words): (String, String) =
            switch outcome {
            case .published:
                ("good", "published: \(app ?? "") \(release ?? "") on \(channel ?? "")")
            case .kept: ("good", detail ?? "kept")
            case .notInstallable: ("warn", "kept, not installable: \(detail ?? "")")
            case .refused: ("bad", "refused: \(detail ?? "")")
            case .missing: ("warn", "no file matches")
            }
        return BuildPage.Line(
            title: path,
            tone: tone,
            detail: words,
            note: bytes.map { Wording.size($0) },
            url: blob == nil ? nil : url,
        )
    }
}
