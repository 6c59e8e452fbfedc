import APIDocuments
import Administration
import Mirrors
import Pages
import Releases

/// A button on the page of a mirror, which posts to `/mirrors/{mirror}/verb`.
struct MirrorButton: Sendable {
    let verb: String
    let title: String
    /// The text that the admin has to confirm; nil if nothing is lost.
    var confirmation: String?
    var isBad = false
    /// Whether it can be pressed now.
    var isOffered: @Sendable (Mirror) -> Bool = { _ in true }
    /// Performs the action.
    ///
    /// - Returns: a sentence that says what was done, and whether the mirror still exists.
    let press: @Sendable (AdminRequest, String) throws -> (done: String, stays: Bool)

    static let all: [MirrorButton] = [
        MirrorButton(
            verb: "pause",
            title: "Pause",
            confirmation: "Until you resume the mirror, the server does not sync or build it, and "
                + "ignores pushes.",
            isOffered: { !$0.isPaused },
        ) { visit, name in
            try visit.perform(ChangeMirror(name, paused: true))
            return ("Mirror \(name) paused.", true)
        },
        MirrorButton(verb: "resume", title: "Resume", isOffered: \.isPaused) { visit, name in
            try visit.perform(ChangeMirror(name, paused: false))
            return ("Mirror \(name) resumed.", true)
        },
        MirrorButton(
            verb: "remove",
            title: "Remove",
            confirmation: "The server stops mirroring the repository and deletes its copy, its "
                + "secrets and its builds. Releases stay.",
            isBad: true,
        ) { visit, name in
            ("Mirror \(try visit.perform(RemoveMirror(name)).removed) removed.", false)
        },
    ]
}

extension ChangeMirror {
    fileprivate init(_ name: String, paused: Bool) {
        var settings = MirrorChange()
        settings.paused = paused
        self.init(name, MirrorChangeRequest(settings, allowPrivate: nil))
    }
}

extension ActionButton {
    init(_ button: MirrorButton, of mirror: Mirror, _ visit: AdminRequest) {
        self.init(
            button.title,
            label: "\(button.title) \(mirror.name)",
            url: "\(visit.links.mirror(mirror.name))/\(button.verb)",
            code: visit.formCode,
            confirmation: button.confirmation,
            isBad: button.isBad,
        )
    }
}
