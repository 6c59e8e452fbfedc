/// One repository that is followed: how, what was built, and a form to build by hand.
package struct MirrorPage: AdminPage {
    package let admin: AdminChrome
    let name: String
    let address: String
    let facts: [Fact]
    let problem: String?
    let notices: [Notice]
    let builds: [BuildLine]
    /// What is said instead of builds; nil where there are some.
    let emptiness: String?
    let hasBuilds: Bool
    /// Whether something is under way that the page should follow.
    let isBusy: Bool
    let actions: Actions?
    let mirrorsURL: String
    let settingsURL: String
    let buttons: [ActionButton]

    /// A line of what is set.
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
        /// What may be built all the same; nil where there is nothing to build.
        let rebuilds: Rebuild?

        package init(_ words: String, rebuilds: Rebuild? = nil) {
            self.words = words
            self.rebuilds = rebuilds
        }
    }

    /// A tag that has moved, and the commit that the admin accepts by the form.
    package struct Rebuild: Sendable {
        let tag: String
        let commit: String

        package init(tag: String, commit: String) {
            self.tag = tag
            self.commit = commit
        }
    }

    /// What an admin may do here.
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

    /// What was typed to build, and why it was refused.
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
    ///   - name: of the mirror.
    ///   - address: of the repository.
    ///   - facts: how it is followed.
    ///   - problem: why the last look failed.
    ///   - notices: what became of tags.
    ///   - builds: newest first.
    ///   - emptiness: what is said where there are none.
    ///   - actions: nil while the mirror is paused.
    ///   - mirrorsURL: the page of all mirrors.
    ///   - settingsURL: where the settings are changed.
    ///   - buttons: what else can be done with it.
    ///   - admin: what stands around.
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
