import Access

// Admins only: a runner gets the source and the secrets of its mirrors.

/// The machines that build for the server.
package struct ListRunners: Action {
    package typealias Answer = RunnersDocument
    package static let route = ActionRoute(.get, "/runners", .everywhere(.admin))

    package init() {}
}

/// Adds a runner; only this answer contains the code that its agent registers with.
package struct AddRunner: Action {
    package typealias Answer = RunnerCodeDocument
    package static let route = ActionRoute(
        .post,
        "/runners",
        .everywhere(.admin),
        success: .created,
    )

    package let content: NewRunner

    package init(_ runner: NewRunner) {
        content = runner
    }

    package static func location(of answer: RunnerCodeDocument) -> String? {
        "/runners/" + answer.runner.name
    }
}

/// A runner, its machine, and what it builds now.
package struct ShowRunner: Action {
    package typealias Answer = RunnerDocument
    package static let route = ActionRoute(.get, "/runners/{runner}", .everywhere(.admin))

    package let runner: String

    package init(_ runner: String) {
        self.runner = runner
    }
}

/// Changes the labels of a runner, or the mirrors that it may build for.
package struct ChangeRunner: Action {
    package typealias Answer = RunnerDocument
    package static let route = ActionRoute(.patch, "/runners/{runner}", .everywhere(.admin))

    package let runner: String
    package let content: RunnerChange

    package init(_ runner: String, _ change: RunnerChange) {
        self.runner = runner
        content = change
    }
}

/// Makes a new registration code; the runner's token is good until that is used.
package struct RenewRunnerCode: Action {
    package typealias Answer = RunnerCodeDocument
    package static let route = ActionRoute(.post, "/runners/{runner}/code", .everywhere(.admin))

    package let runner: String

    package init(_ runner: String) {
        self.runner = runner
    }
}

/// Pauses a runner: it finishes what it builds, and gets nothing more.
///
/// No error if it is paused already.
package struct PauseRunner: Action {
    package typealias Answer = PausedRunnerDocument
    package static let route = ActionRoute(.post, "/runners/{runner}/pause", .everywhere(.admin))

    package let runner: String

    package init(_ runner: String) {
        self.runner = runner
    }
}

/// Resumes a paused runner.
///
/// No error if it is not paused.
package struct ResumeRunner: Action {
    package typealias Answer = PausedRunnerDocument
    package static let route = ActionRoute(.post, "/runners/{runner}/resume", .everywhere(.admin))

    package let runner: String

    package init(_ runner: String) {
        self.runner = runner
    }
}

/// Removes a runner: its token ends at once, and what it builds is offered to another.
package struct RemoveRunner: Action {
    package typealias Answer = RemovedRunnerDocument
    package static let route = ActionRoute(.delete, "/runners/{runner}", .everywhere(.admin))

    package let runner: String

    package init(_ runner: String) {
        self.runner = runner
    }
}

extension NewRunner: ActionContent {
    package static var keys: Set<String> { ["name", "mirrors", "labels"] }
}

extension RunnerChange: ActionContent {
    package static var keys: Set<String> { ["labels", "mirrors"] }

    package var flaw: ContentFlaw? {
        guard labels == nil, mirrors == nil else { return nil }
        return ContentFlaw("nothing is to be changed", fix: "send `labels` or `mirrors`")
    }
}
