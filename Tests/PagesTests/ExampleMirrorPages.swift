import Pages
import Problems

/// The admin's pages of mirrors.
extension ExamplePages {
    private func mirrorForm(isRefused: Bool = false, isKept: Bool = false) -> MirrorForm {
        var draft = MirrorForm.Draft()
        if isRefused || isKept {
            draft.name = isKept ? "browsey" : word("Browsey App")
            draft.address = word("https://git.example.com/team/browsey.git")
        }
        if isRefused {
            draft.problem = PageProblem(
                Problem(
                    id: "mirror.bad-name",
                    kind: .invalid,
                    message: word("“Browsey App” is not a valid mirror name"),
                )
            )
        }
        return MirrorForm(
            draft,
            keeping: isKept
                ? MirrorForm.Kept(
                    hasToken: true,
                    hasHookSecret: false,
                    variables: ["API_KEY", "MATCH_PASSWORD"],
                ) : nil,
            sentTo: "/admin/mirrors",
            formCode: "0123456789abcdef",
        )
    }

    func mirrorPages() throws -> [String: String] {
        let failed = BuildLine(
            number: "Build 13",
            url: "/admin/mirrors/browsey/builds/13",
            state: "failed",
            tone: "bad",
            subject: word("v1.4.0-beta.1"),
            version: nil,
            asked: "5 minutes ago, webhook",
            took: "2 min 8 s",
            reason: word("step “Archive” failed with exit status 65"),
        )
        let running = BuildLine(
            number: "Build 14",
            url: "/admin/mirrors/browsey/builds/14",
            state: "running",
            tone: "accent",
            subject: word("main"),
            version: "dev",
            asked: "just now, schedule",
            took: nil,
            reason: nil,
        )
        let done = BuildLine(
            number: "Build 12",
            url: "/admin/mirrors/browsey/builds/12",
            state: "succeeded",
            tone: "good",
            subject: "v1.3.0",
            version: nil,
            asked: "2 days ago, Ana",
            took: "4 min 11 s",
            reason: nil,
        )
        return [
            "mirrors": try html(
                MirrorsPage(
                    rows: [
                        .init(
                            name: "browsey",
                            url: "/admin/mirrors/browsey",
                            address: "https://git.example.com/team/browsey.git",
                            syncStatus: "synced 1 minute ago",
                            isFailing: false,
                            latest: running,
                            waiting: "2 builds wait",
                        ),
                        .init(
                            name: "pare",
                            url: "/admin/mirrors/pare",
                            address: "git@git.example.com:team/pare.git",
                            syncStatus: word(
                                "sync failed 1 hour ago: git fetch failed: fatal: no route"
                            ),
                            isFailing: true,
                            latest: nil,
                            waiting: nil,
                        ),
                    ],
                    runnersURL: "/admin/runners",
                    form: mirrorForm(),
                    admin: try admin(.mirrors),
                )
            ),
            "mirrors-none": try html(
                MirrorsPage(
                    rows: [],
                    runnersURL: "/admin/runners",
                    form: mirrorForm(),
                    admin: try admin(.mirrors),
                )
            ),
            "mirrors-refused": try html(
                MirrorsPage(
                    rows: [],
                    runnersURL: "/admin/runners",
                    form: mirrorForm(isRefused: true),
                    admin: try admin(.mirrors),
                )
            ),
            "mirror-settings": try html(
                MirrorSettingsPage(
                    name: "browsey",
                    mirrorURL: "/admin/mirrors/browsey",
                    form: mirrorForm(isKept: true),
                    admin: try admin(.mirrors),
                )
            ),
            "mirror": try html(
                MirrorPage(
                    name: "browsey",
                    address: "https://git.example.com/team/browsey.git",
                    facts: [
                        .init("Syncs", "every 5 minutes and by webhook"),
                        .init("Tags", "*"), .init("Branches", "main, master"),
                        .init("Pipeline", ".ota/pipeline.yml"),
                    ],
                    problem: word("git fetch failed: fatal: could not read Username"),
                    notices: [
                        .init(
                            word("The tag v1.2.0 has moved from 4f2a9c81d0be to 9d1c0a7b54ee."),
                            rebuilds: .init(
                                tag: "v1.2.0",
                                commit: String(repeating: "9d1c", count: 10),
                            ),
                        ), .init("The tag v0.9.0 was deleted; it pointed to 4f2a9c81d0be."),
                    ],
                    builds: [running, failed, done],
                    emptiness: "No builds yet.",
                    actions: .init(
                        formCode: "0123456789abcdef",
                        syncURL: "/admin/mirrors/browsey/sync",
                        buildURL: "/admin/mirrors/browsey/builds",
                    ),
                    mirrorsURL: "/admin/mirrors",
                    settingsURL: "/admin/mirrors/browsey/settings",
                    buttons: [
                        ActionButton(
                            "Pause",
                            label: "Pause browsey",
                            url: "/admin/mirrors/browsey/pause",
                            code: "0123456789abcdef",
                            confirmation: "The server does not sync or build it.",
                        ),
                        ActionButton(
                            "Remove",
                            label: "Remove browsey",
                            url: "/admin/mirrors/browsey/remove",
                            code: "0123456789abcdef",
                            confirmation: "Releases stay.",
                            isBad: true,
                        ),
                    ],
                    admin: try admin(.mirrors),
                )
            ),
            "build-failed": try html(
                BuildPage(
                    mirror: "browsey",
                    mirrorURL: "/admin/mirrors/browsey",
                    build: failed,
                    commit: "4f2a9c81d0be",
                    issues: [
                        .init(
                            title: word("No profiles for 'com.example.browsey' were found"),
                            tone: "bad",
                            detail: word("ios/Browsey.xcodeproj · signing error"),
                        )
                    ],
                    steps: [
                        .init(title: "Build", tone: "good", detail: "succeeded", note: "95 s"),
                        .init(
                            title: line("Archive"),
                            tone: "bad",
                            detail: "failed with exit status 65",
                            note: "33 s",
                        ),
                        .init(title: "Upload", tone: "", detail: "skipped"),
                    ],
                    artifacts: [
                        .init(
                            title: word("build/Browsey.xcarchive"),
                            tone: "warn",
                            detail: "kept, not installable: not signed for devices",
                            note: "41 MB",
                        )
                    ],
                    log: "Building for production\n── \(line("Archive"))\n"
                        + "\u{1B}[1mCompileSwift\u{1B}[0m normal \u{1B}[32marm64\u{1B}[0m\n"
                        + "\u{1B}[31merror:\u{1B}[0m "
                        + line("No profiles for 'com.example.browsey' were found") + "\n"
                        + "── artifacts of the failed build: kept, not published\n",
                    isLogCut: true,
                    logURL: "/admin/mirrors/browsey/builds/13/log",
                    cancel: nil,
                    admin: try admin(.mirrors),
                )
            ),
            "build-running": try html(
                BuildPage(
                    mirror: "browsey",
                    mirrorURL: "/admin/mirrors/browsey",
                    build: running,
                    commit: "9d1c0a7b54ee",
                    steps: [.init(title: "Build", tone: "accent", detail: "running")],
                    artifacts: [],
                    log: "TAG=dev\nVERSION=dev\n── Build\nCompileSwift normal arm64\n",
                    isLogCut: false,
                    logURL: "/admin/mirrors/browsey/builds/14/log",
                    cancel: .init(
                        formCode: "0123456789abcdef",
                        url: "/admin/mirrors/browsey/builds/14/cancel",
                    ),
                    admin: try admin(.mirrors),
                )
            ),
        ]
    }

    /// A stranger's text on one line of a log.
    private func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                word(text).unicodeScalars.map { $0 == "\r" || $0 == "\n" ? " " : $0 }
            )
        )
    }
}
