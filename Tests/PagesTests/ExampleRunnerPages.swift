import Identifiers
import Pages
import Releases

/// The admin's pages of runners.
extension ExamplePages {
    func runnerPages() throws -> [String: String] {
        let idle = RunnerLine(
            name: "mac-mini",
            url: "/admin/runners/mac-mini",
            state: "online",
            tone: "good",
            labels: ["mac", "xcode-26"],
            detail: word("macOS 26.1 (arm64), Xcode 26.1; last seen just now"),
            build: nil,
        )
        let building = RunnerLine(
            name: "studio",
            url: "/admin/runners/studio",
            state: "building",
            tone: "accent",
            labels: ["mac", "xcode-27"],
            detail: "macOS 26.2 (arm64), Xcode 27.0; last seen just now",
            build: .init(
                words: word("browsey v1.3.0, build 12"),
                url: "/admin/mirrors/browsey/builds/12",
            ),
        )
        let new = RunnerLine(
            name: "old-mac",
            url: "/admin/runners/old-mac",
            state: "never connected",
            tone: "warn",
            labels: ["mac"],
            detail: "paste its line on the machine",
            build: nil,
        )
        let chrome = try admin(.mirrors)
        return [
            "runners": try html(
                RunnersPage(
                    [building, idle, new],
                    mirrors: ["browsey", word("pare")],
                    links: try adminLinks(),
                    admin: chrome,
                )
            ),
            "runners-none": try html(
                RunnersPage([], mirrors: [], links: try adminLinks(), admin: chrome)
            ),
            "runners-refused": try html(
                RunnersPage(
                    [idle],
                    mirrors: ["browsey"],
                    links: try adminLinks(),
                    draft: .init(
                        name: word("mac mini"),
                        labels: "mac, server",
                        references: .any,
                        problem: PageProblem(
                            id: "form.bad-field",
                            message: word("“server” cannot be a label of a runner."),
                            fix: "Leave it out.",
                        ),
                    ),
                    admin: chrome,
                )
            ),
            "runner": try html(runner(building, start: nil)),
            "runner-new": try html(
                runner(
                    new,
                    start: .init(
                        command: word("curl -fsS https://ota.example.com/runner.py -o runner.py"),
                        expires: "21 November 2026, 10:00 UTC",
                    ),
                )
            ),
        ]
    }

    private var pauseButton: ActionButton {
        ActionButton(
            "Pause",
            label: "Pause studio",
            url: "/admin/runners/studio/pause",
            code: "0123456789abcdef",
        )
    }

    private func runner(_ line: RunnerLine, start: RunnerPage.Start?) throws -> RunnerPage {
        RunnerPage(
            line,
            facts: [
                .init("System", word("macOS 26.2 (arm64)")), .init("Xcode", "27.0 (18A1)"),
                .init("Added", "3 days ago by \(word("ana"))"),
            ],
            start: start,
            settings: .init(
                url: "/admin/runners/studio/settings",
                formCode: "0123456789abcdef",
                labels: "mac, xcode-27",
                chosen: ["browsey"],
                of: ["browsey", word("pare")],
                references: .trusted,
            ),
            // A runner that has never connected cannot be paused.
            buttons: (start == nil ? [pauseButton] : []) + [
                ActionButton(
                    "Remove",
                    label: "Remove studio",
                    url: "/admin/runners/studio/remove",
                    code: "0123456789abcdef",
                    confirmation:
                        "Its token stops working immediately. Its build, if any, is offered to "
                        + "another runner.",
                    isBad: true,
                )
            ],
            runnersURL: "/admin/runners",
            admin: try admin(.mirrors),
        )
    }
}
