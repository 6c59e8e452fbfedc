/// One mirror: its settings, its builds, and a form to start a build.
package struct MirrorPage: AdminPage {
    package let admin: AdminChrome
    let name: String
    let address: String
    let facts: [Fact]
    let problem: String?
    let notices: [Notice]
    let builds: [BuildLine]
    /// The text if there are no builds; nil otherwise.
    let emptiness: String?
    let hasBuilds: Bool
    /// Whether something is in progress that the page should follow.
    let isBusy: Bool
    let actions: Actions?
    let mirrorsURL: String
    let settingsURL: String
    let buttons: [ActionButton]

    /// One setting.
    package struct Fact: Sendable {
        let name: String
        let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A remark about a tag.
    package struct Notice: Sendable {
        let words: String
        /// The tag that can be built nevertheless; nil for none.
        let rebuilds: Rebuild?

        package init(_ words: String, rebuilds: Rebuild? = nil) {
            self.words = words
            self.rebuilds = rebuilds
        }
    }

    /// A moved tag, and the commit that the admin accepts by the form.
    package struct Rebuild: Sendable {
        /// Not `tag`, which is the one in the form, and hides this one from the template.
        let movedTag: String
        let commit: String

        package init(tag: String, commit: String) {
            movedTag = tag
            self.commit = commit
        }
    }

    /// The actions that an admin may perform.
    package struct Actions: Sendable {
        let formCode: String
        let syncURL: String
        let buildURL: String
        let tag: String
        let branch: String
        let problem: PageProblem?

        package init(formCode: String, syncURL: String, buildURL: String, typed: Typed? = nil) {
            self.formCode = formCode
            self.syncURL = syncURL
            self.buildURL = buildURL
            tag = typed?.tag ?? ""
            branch = typed?.branch ?? ""
            problem = typed?.problem
        }
    }

    /// The input of a build that was refused, and the reason.
    package struct Typed: Sendable {
        let tag: String
        let branch: String
        let problem: PageProblem

        package init(tag: String, branch: String, problem: PageProblem) {
            self.tag = tag
            self.branch = branch
            self.problem = problem
        }
    }

    /// - Parameters:
    ///   - name: the mirror's name.
    ///   - address: the repository's address.
    ///   - facts: its settings.
    ///   - problem: why the last sync failed.
    ///   - notices: moved and deleted tags.
    ///   - builds: newest first.
    ///   - emptiness: the text if there are no builds.
    ///   - actions: nil while the mirror is paused.
    ///   - mirrorsURL: the page of all mirrors.
    ///   - settingsURL: the settings page.
    ///   - buttons: further actions.
    ///   - admin: the page's header and navigation.
    package init(
        name: String,
        address: String,
        facts: [Fact],
        problem: String?,
        notices: [Notice],
        builds: [BuildLine],
        emptiness: String,
        actions: Actions?,
        mirrorsURL: String,
        settingsURL: String,
        buttons: [ActionButton],
        admin: AdminChrome,
    ) {
        self.name = name
        self.address = address
        self.facts = facts
        self.problem = problem
        self.notices = notices
        self.builds = builds
        self.emptiness = builds.isEmpty ? emptiness : nil
        hasBuilds = !builds.isEmpty
        isBusy = builds.contains { $0.tone == "accent" }
        self.actions = actions
        self.mirrorsURL = mirrorsURL
        self.settingsURL = settingsURL
        self.buttons = buttons
        self.admin = admin
    }
}
