/// The repositories that are followed, with how their latest builds went.
package struct MirrorsPage: AdminPage {
    package let admin: AdminChrome
    let rows: [Row]
    let runnersURL: String
    let form: MirrorForm
    /// Whether the form is open from the start: before there is a mirror, and after a mistake.
    let isFormOpen: Bool

    /// One repository, in ready words.
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
        ///   - name: of the mirror.
        ///   - url: of its page.
        ///   - address: of the repository.
        ///   - syncStatus: when it was synced last, or why that failed.
        ///   - isFailing: whether it failed.
        ///   - latest: its latest build.
        ///   - waiting: how many builds wait, if some do.
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
    ///   - runnersURL: the page of the machines that build for them.
    ///   - form: the form that follows another repository.
    ///   - admin: what surrounds the page.
    package init(rows: [Row], runnersURL: String, form: MirrorForm, admin: AdminChrome) {
        self.rows = rows
        self.runnersURL = runnersURL
        self.form = form
        isFormOpen = rows.isEmpty || form.problem != nil
        self.admin = admin
    }
}

/// One build in a list, in ready words.
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
    ///   - number: of the build.
    ///   - url: of its page.
    ///   - state: one word.
    ///   - tone: `good`, `warn`, `bad` or `accent`.
    ///   - subject: the tag, branch or commit.
    ///   - version: that it was called, where that says more.
    ///   - asked: when and by whom.
    ///   - took: how long.
    ///   - reason: why it is as it is.
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
