import APIDocuments
import Administration
import Pages
import Releases

/// A button on the page of a job, which posts to `/jobs/{job}/verb`.
struct JobButton: Sendable {
    let verb: String
    let title: String
    /// The text that the admin has to confirm; nil if nothing is lost.
    var confirmation: String?
    var isBad = false
    /// Whether it can be pressed now.
    let isOffered: @Sendable (JobEntry.State) -> Bool
    /// Performs the action.
    ///
    /// - Returns: a sentence that says what was done.
    let press: @Sendable (AdminRequest, String) throws -> String

    static let all: [JobButton] = [
        JobButton(
            verb: "retry",
            title: "Retry now",
            isOffered: { $0 != .running && $0 != .done },
        ) { visit, job in
            "The job to \(try visit.perform(RetryJob(job)).job.title) will be tried now."
        },
        JobButton(
            verb: "cancel",
            title: "Cancel",
            confirmation:
                "What it has done already stays. A running job stops before its next step.",
            isBad: true,
            isOffered: { !$0.isOver },
        ) { visit, job in
            let job = try visit.perform(CancelJob(job)).job
            return job.state == .cancelled
                ? "Cancelled the job to \(job.title)."
                : "The job to \(job.title) will stop before its next step."
        },
    ]
}

extension ActionButton {
    init(_ button: JobButton, of job: JobEntry, _ visit: AdminRequest) {
        self.init(
            button.title,
            label: "\(button.title): \(job.title)",
            url: visit.links.job(job.id) + "/" + button.verb,
            code: visit.formCode,
            confirmation: button.confirmation,
            isBad: button.isBad,
        )
    }
}
