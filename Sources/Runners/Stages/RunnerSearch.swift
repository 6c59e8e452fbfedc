import Bytes
package import Essentials
package import Identifiers
import Mirrors
import Releases
package import Store

/// Finds the runners that may run a stretch of steps, and explains what a build is waiting for.
package struct RunnerSearch {
    let labels: [RunnerLabel]
    let mirror: Slug
    /// What is built, for display: a tag, a branch or a commit.
    let subject: String
    /// Whether the mirror does not trust what is built.
    let isUntrusted: Bool
    let runners: [Runner]
    let date: Date

    /// The number of runners that the sentence names.
    private static let mostNamed = 5

    /// - Parameters:
    ///   - labels: the labels that a runner must have.
    ///   - mirror: the build's mirror.
    ///   - subject: what is built, for display.
    ///   - isUntrusted: whether the mirror does not trust what is built.
    ///   - runners: all runners.
    ///   - date: the current time.
    package init(
        labels: [RunnerLabel],
        mirror: Slug,
        subject: String,
        isUntrusted: Bool,
        runners: [Runner],
        date: Date,
    ) {
        self.labels = labels
        self.mirror = mirror
        self.subject = subject
        self.isUntrusted = isUntrusted
        self.runners = runners
        self.date = date
    }

    /// What the build is waiting for, and why no runner takes it now, with the command that helps.
    package var sentence: String {
        let waiting = "waiting for a runner with \(RunnerLabel.words(for: labels.map(\.rawValue)))"
        guard let reason else { return waiting }
        return "\(waiting): \(reason)"
    }

    /// Why no runner takes the build now; nil if one may.
    fileprivate var reason: String? {
        guard !runners.isEmpty else {
            return "there is no runner: ota runners add mac-mini --mirror \(mirror)"
        }
        if let label = labels.first(where: { label in
            !runners.contains { $0.labels.contains(label) }
        }) {
            return "no runner has the label \(label); see ota runners list"
        }
        let able = runners.filter { runner in labels.allSatisfy(runner.labels.contains) }
        guard !able.isEmpty else {
            return "no runner has all of these labels; see ota runners list"
        }
        let obstacles = able.map(obstacle)
        guard !obstacles.contains(nil) else { return nil }
        // Runners that may build for the mirror are named before those that may not.
        let nearest = zip(able, obstacles).filter { $0.0.mirrors.contains(mirror) }
        let named = nearest.isEmpty ? obstacles.compactMap(\.self) : nearest.compactMap(\.1)
        let more = named.count - Self.mostNamed
        return named.prefix(Self.mostNamed).joined(separator: "; ")
            + (more > 0 ? "; and \(more) more: ota runners list" : "")
    }

    /// What keeps a runner that has the labels from taking the build; nil if nothing does.
    private func obstacle(of runner: Runner) -> String? {
        let name = "runner \(runner.name)"
        if !runner.mirrors.contains(mirror) {
            let mirrors = ([mirror] + runner.mirrors).prefix(Self.mostNamed + 1)
            let options = mirrors.map { "--mirror \($0)" }.joined(separator: " ")
            return "\(name) does not build for \(mirror): ota runners set \(runner.name) \(options)"
        }
        if runner.token == nil {
            return "\(name) has not registered: ota runners code \(runner.name)"
        }
        if runner.isPaused == true {
            return "\(name) is paused: ota runners resume \(runner.name)"
        }
        if !runner.takes(untrusted: isUntrusted) {
            let taken = (runner.references ?? .trusted).words
            let kind = isUntrusted ? "untrusted" : "trusted"
            let shown = PrintableText(escaping: subject, limit: 100).text
            return "\(name) takes only \(taken), and \(shown) is \(kind): "
                + "ota runners set \(runner.name) --references \(isUntrusted ? "untrusted" : "trusted")"
        }
        guard !runner.isOnline(at: date) else { return nil }
        let last = runner.seen.map { ", last seen \(Wording.ago($0, at: date))" } ?? ""
        return "\(name) is offline\(last): start its agent"
    }
}

extension OTAStore {
    /// Why no runner has taken a waiting build yet.
    ///
    /// - Parameters:
    ///   - build: the build's number.
    ///   - mirror: the build's mirror.
    ///   - date: the current time.
    /// - Returns: why no runner can take it, with the command that helps, or that those which may take it
    ///   are busy; nil for a build that is not waiting for a runner.
    /// - Throws: `StoreFailure`.
    package func waitingReason(of build: Int, _ mirror: Slug, at date: Date) throws -> String? {
        guard let stage = try stage(of: build, mirror), stage.state == .offered else { return nil }
        guard try mirrors()[mirror]?.isPaused != true else {
            return "the mirror is paused: ota mirror set \(mirror) --no-paused"
        }
        let search = RunnerSearch(
            labels: stage.labels,
            mirror: mirror,
            subject: stage.subject,
            isUntrusted: stage.isUntrusted == true,
            runners: try runners().runners,
            date: date,
        )
        return search.reason ?? "every runner that may take it is busy"
    }
}
