import Bytes
package import Inspection
package import Releases

/// What became of a build that was uploaded.
package struct UploadPage: AdminPage {
    package let admin: AdminChrome
    let title: String
    let publishURL: String
    let scriptURL: String
    let sentence: String
    /// What else came of publishing the same file again.
    let remarks: [String]
    let isPublishing: Bool
    let problem: PageProblem?
    let releaseURL: String?
    /// What can be done with a build that was only checked.
    let choice: Choice?
    let findings: [FindingRow]
    let hasFindings: Bool

    /// - Parameters:
    ///   - outcome: what became of it.
    ///   - links: the addresses of the admin's pages.
    ///   - scriptURL: asks again while there is no answer.
    ///   - admin: what surrounds the page.
    package init(
        _ outcome: Outcome,
        links: AdminLinks,
        scriptURL: String,
        admin: AdminChrome,
    ) {
        self.admin = admin
        publishURL = links.publish
        self.scriptURL = scriptURL
        var found: [Finding] = []
        var said: [String] = []
        var refusal: PageProblem?
        var url: String?
        var open: Choice?
        switch outcome {
        case .receiving(let size):
            title = "Upload not complete"
            sentence =
                "The upload of \(Wording.size(size)) is not complete. The page that sends the file "
                + "continues on its own; if you closed it, publish the file again."
        case .publishing:
            title = "Working on the build"
            sentence =
                "The server checks it and publishes it if that was asked for. "
                + "This takes up to a minute for a large build."
        case .refused(let problem, let findings, let isCheck):
            title = isCheck ? "This build would not be published" : "Not published"
            sentence = ""
            refusal = problem
            found = findings
        case .checked(let checked, let findings):
            title = "\(checked.title) \(checked.release.words)"
            sentence = checked.sentence
            open = checked.choice
            found = findings
        case .published(let published, let findings):
            title = "\(published.title) \(published.release.words)"
            sentence = published.sentence
            url = published.pageURL
            found = findings
            said = published.remarks
        }
        remarks = said
        isPublishing = if case .publishing = outcome { true } else { false }
        problem = refusal
        releaseURL = url
        choice = open
        findings = FindingRow.rows(of: found)
        hasFindings = !findings.isEmpty
    }

    /// How an upload stands.
    package enum Outcome: Sendable {
        /// Bytes are awaited, of so many.
        case receiving(size: Int)
        /// Everything has arrived, and there is no answer yet.
        case publishing
        /// With `isCheck`, nothing was to be published.
        case refused(PageProblem, [Finding], isCheck: Bool)
        /// It would be published; nothing was.
        case checked(Checked, [Finding])
        case published(Published, [Finding])
    }

    /// The forms that publish or drop a checked build.
    struct Choice: Sendable {
        let url: String
        let code: String
        /// The word of the button; nil for an admin who did not upload the build.
        let publish: String?
    }

    /// A build that was checked, and not published.
    package struct Checked: Sendable {
        let title: String
        let release: ReleaseIdentifier
        let channel: String
        let isNew: Bool
        let registered: Int
        let canInstall: Int
        let choice: Choice

        /// - Parameters:
        ///   - title: the app's.
        ///   - release: what it would become.
        ///   - channel: on which it would be published.
        ///   - isNew: false where the same file is published already.
        ///   - registered: the devices in use.
        ///   - canInstall: how many of them can install it.
        ///   - mayPublish: whether the visitor uploaded it.
        ///   - url: the address of the forms.
        ///   - code: what each form carries.
        package init(
            title: String,
            release: ReleaseIdentifier,
            channel: String,
            isNew: Bool,
            registered: Int,
            canInstall: Int,
            mayPublish: Bool,
            url: String,
            code: String,
        ) {
            self.title = title
            self.release = release
            self.channel = channel
            self.isNew = isNew
            self.registered = registered
            self.canInstall = canInstall
            choice = Choice(
                url: url,
                code: code,
                publish: mayPublish ? "Publish on \(channel)" : nil,
            )
        }

        var sentence: String {
            let what =
                isNew
                ? "This build would be published on \(channel). The server keeps the file for a day."
                : "This file is already published; publishing it puts it on \(channel)."
            guard registered > 0 else { return what }
            return what
                + " \(canInstall.grouped) of \(Wording.count(registered, "device")) can install it."
        }
    }

    /// The release that an upload has become.
    package struct Published: Sendable {
        let title: String
        let release: ReleaseIdentifier
        let channel: String
        let isNew: Bool
        let isOffered: Bool
        let registered: Int
        let canInstall: Int
        let remarks: [String]
        let pageURL: String

        /// - Parameters:
        ///   - title: the app's.
        ///   - release: which.
        ///   - channel: on which it was published.
        ///   - isNew: false where the same file was published before.
        ///   - isOffered: whether the channel offers it.
        ///   - registered: the devices in use.
        ///   - canInstall: how many of them can install it.
        ///   - remarks: what else came of publishing the same file again.
        ///   - pageURL: the release's page.
        package init(
            title: String,
            release: ReleaseIdentifier,
            channel: String,
            isNew: Bool,
            isOffered: Bool,
            registered: Int,
            canInstall: Int,
            remarks: [String] = [],
            pageURL: String,
        ) {
            self.title = title
            self.release = release
            self.channel = channel
            self.isNew = isNew
            self.isOffered = isOffered
            self.registered = registered
            self.canInstall = canInstall
            self.remarks = remarks
            self.pageURL = pageURL
        }

        var sentence: String {
            let what =
                switch (isNew, isOffered) {
                case (true, true): "Published on \(channel)."
                case (true, false): "Published; \(channel) offers a different release."
                case (false, true): "This file was already published, and is now on \(channel)."
                case (false, false):
                    "This file was already published; \(channel) offers a different release."
                }
            guard registered > 0 else { return what }
            return what
                + " \(canInstall.grouped) of \(Wording.count(registered, "device")) can install it."
        }
    }
}
