/// All mirrors, with their latest builds.
package struct MirrorsPage: AdminPage {
    package let admin: AdminChrome
    let rows: [Row]
    let runnersURL: String
    let form: MirrorForm
    /// Whether the form is open initially: if there is no mirror yet, and after an error.
    let isFormOpen: Bool

    /// One mirror, as texts.
    package struct Row: Sendable {
        let name: String
        let url: String
        let address: String
        let syncStatus: String
        let isFailing: Bool
        let latest: BuildLine?
        let waiting: String?
        let tone: String

        /// - Parameters:
        ///   - name: the mirror's name.
        ///   - url: the path of its page.
        ///   - address: the repository's address.
        ///   - syncStatus: when it was last synced, or why that failed.
        ///   - isFailing: whether the last sync failed.
        ///   - latest: its latest build.
        ///   - waiting: how many builds wait; nil for none.
        package init(
            name: String,
            url: String,
            address: String,
            syncStatus: String,
            isFailing: Bool,
            latest: BuildLine?,
            waiting: String?,
        ) {
            self.name = name
            self.url = url
            self.address = address
            self.syncStatus = syncStatus
            self.isFailing = isFailing
            self.latest = latest
            self.waiting = waiting
            tone = isFailing ? "bad" : latest?.tone ?? ""
        }
    }

    /// - Parameters:
    ///   - rows: the mirrors.
    ///   - runnersURL: the page of runners.
    ///   - form: the form that adds a mirror.
    ///   - admin: the page's header and navigation.
    package init(rows: [Row], runnersURL: String, form: MirrorForm, admin: AdminChrome) {
        self.rows = rows
        self.runnersURL = runnersURL
        self.form = form
        isFormOpen = rows.isEmpty || form.problem != nil
        self.admin = admin
    }
}

/// One build in a list, as texts.
package struct BuildLine: Sendable {
    let number: String
    let url: String
    let state: String
    /// `good`, `warn`, `bad` or `accent`.
    let tone: String
    let subject: String
    let version: String?
    let asked: String
    let took: String?
    let reason: String?

    /// - Parameters:
    ///   - number: the build's number.
    ///   - url: the path of its page.
    ///   - state: one word.
    ///   - tone: `good`, `warn`, `bad` or `accent`.
    ///   - subject: the tag, branch or commit.
    ///   - version: its version, if that says more than `subject`.
    ///   - asked: when it was requested, and by whom.
    ///   - took: how long it took.
    ///   - reason: the reason for its state.
    package init(
        number: String,
        url: String,
        state: String,
        tone: String,
        subject: String,
        version: String?,
        asked: String,
        took: String?,
        reason: String?,
    ) {
        self.number = number
        self.url = url
        self.state = state
        self.tone = tone
        self.subject = subject
        self.version = version
        self.asked = asked
        self.took = took
        self.reason = reason
    }
}
