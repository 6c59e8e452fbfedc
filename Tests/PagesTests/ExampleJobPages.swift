import Pages
import Releases

/// The admin's pages of jobs.
extension ExamplePages {
    /// A job in each state that has a different appearance.
    func jobLines() -> (running: JobLine, waiting: JobLine, failed: JobLine, done: JobLine) {
        let url = "/admin/jobs/20261121-090000-3fa9c2d4"
        return (
            running: JobLine(
                title: "Sign \(word("Browsey")) 2.4.0 (318) again",
                url: url,
                state: "running, 40%",
                tone: "accent",
                asked: "just now, \(word("ana"))",
                reason: nil,
                fix: nil,
                next: nil,
                isOpen: true,
            ),
            waiting: JobLine(
                title: "Register devices of team ABCDE12345 with Apple",
                url: url,
                state: "waiting",
                tone: "warn",
                asked: "20 minutes ago, ota",
                reason: word("Apple wants the Account Holder to accept an agreement."),
                fix: word("Accept it at developer.apple.com/account."),
                next: "continues in 40 minutes",
                isOpen: true,
            ),
            failed: JobLine(
                title: "Sign \(word("Pare")) 1.1 (12) again",
                url: url,
                state: "failed",
                tone: "bad",
                asked: "3 hours ago, \(word("ana"))",
                reason: word("The profile lacks the entitlement com.apple.developer.web-browser."),
                fix: nil,
                next: nil,
                isOpen: false,
            ),
            done: JobLine(
                title: "Renew the profiles of team ABCDE12345",
                url: url,
                state: "done",
                tone: "good",
                asked: "2 days ago, ota",
                reason: nil,
                fix: nil,
                next: nil,
                isOpen: false,
            ),
        )
    }

    func jobs(isEmpty: Bool = false) throws -> JobsPage {
        let lines = jobLines()
        return JobsPage(
            open: isEmpty ? [] : [lines.running, lines.waiting],
            ended: isEmpty ? [] : [lines.failed, lines.done],
            links: try adminLinks(),
            admin: try admin(.dashboard),
        )
    }

    func runningJob() throws -> JobPage {
        let url = "/admin/jobs/20261121-090000-3fa9c2d4"
        return JobPage(
            jobLines().running,
            parts: (done: 4, total: 10),
            steps: [
                .init(
                    title: "Sign and inspect the build",
                    tone: "accent",
                    state: "running",
                    isPresent: true,
                ),
                .init(
                    title: "Offer what was signed",
                    tone: "",
                    state: "not yet",
                    isPresent: false,
                ),
            ],
            facts: [
                .init("App", word("Browsey"), url: "/admin/apps/browsey"),
                .init("Requested by", "\(word("ana")), 21 November 2026, 09:00 UTC"),
                .init("Attempts", "1"),
            ],
            buttons: [
                ActionButton(
                    "Cancel",
                    label: "Cancel: sign \(word("Browsey")) 2.4.0 (318) again",
                    url: url + "/cancel",
                    code: "0123456789abcdef",
                    confirmation: "What it has done already stays.",
                    isBad: true,
                )
            ],
            jobsURL: try adminLinks().jobs,
            admin: try admin(.dashboard),
        )
    }

    func waitingJob() throws -> JobPage {
        let url = "/admin/jobs/20261121-090000-3fa9c2d4"
        return JobPage(
            jobLines().waiting,
            parts: nil,
            steps: [
                .init(
                    title: "Register devices with Apple",
                    tone: "warn",
                    state: "waiting",
                    isPresent: true,
                )
            ],
            facts: [.init("Attempts", "0")],
            buttons: [
                ActionButton(
                    "Retry now",
                    label: "Retry now: register devices of team ABCDE12345 with Apple",
                    url: url + "/retry",
                    code: "0123456789abcdef",
                )
            ],
            jobsURL: try adminLinks().jobs,
            admin: try admin(.dashboard),
        )
    }
}
