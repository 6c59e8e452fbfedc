import APIDocuments
import Administration
import Pages

/// A button on the page of a runner, which posts to `/runners/{runner}/verb`.
struct RunnerButton: Sendable {
    let verb: String
    let title: String
    /// The text that the admin has to confirm; nil if nothing is lost.
    var confirmation: String?
    var isBad = false
    /// Whether it can be pressed now.
    var isOffered: @Sendable (RunnerEntry) -> Bool = { _ in true }
    /// Performs the action.
    ///
    /// - Returns: a sentence that says what was done, and whether the runner still exists.
    let press: @Sendable (AdminRequest, String) throws -> (done: String, stays: Bool)

    static let all: [RunnerButton] = [
        RunnerButton(
            verb: "pause",
            title: "Pause",
            isOffered: { !$0.paused && $0.state != .unregistered },
        ) { visit, name in
            let runner = try visit.perform(PauseRunner(name)).runner
            return (
                "Runner \(runner.name) paused. It finishes its build and takes no more.", true,
            )
        },
        RunnerButton(verb: "resume", title: "Resume", isOffered: { $0.paused }) { visit, name in
            ("Runner \(try visit.perform(ResumeRunner(name)).runner.name) resumed.", true)
        },
        RunnerButton(
            verb: "remove",
            title: "Remove",
            confirmation: "Its token stops working immediately. Its build, if any, is offered to "
                + "another runner.",
            isBad: true,
        ) { visit, name in
            ("Runner \(try visit.perform(RemoveRunner(name)).runner.name) removed.", false)
        },
    ]
}

extension ActionButton {
    init(_ button: RunnerButton, of runner: RunnerEntry, at url: String, code: String) {
        self.init(
            button.title,
            label: "\(button.title) \(runner.name)",
            url: "\(url)/\(button.verb)",
            code: code,
            confirmation: button.confirmation,
            isBad: button.isBad,
        )
    }
}
