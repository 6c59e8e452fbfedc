import Bytes
package import Inspection
package import Releases

/// The result of an upload.
package struct UploadPage: AdminPage {
    package let admin: AdminChrome
    let title: String
    let publishURL: String
    let scriptURL: String
    let sentence: String
    /// Remarks, if the same file had been published before.
    let remarks: [String]
    let isPublishing: Bool
    let problem: PageProblem?
    let releaseURL: String?
    /// The choice for a build that was only checked.
    let choice: Choice?
    let findings: [FindingRow]
    let hasFindings: Bool

    /// - Parameters:
    ///   - outcome: the result.
    ///   - links: builds paths of admin pages.
    ///   - scriptURL: the script that reloads the page until there is a result.
    ///   - admin: the page's header and navigation.
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

    /// The state of an upload.
    package enum Outcome: Sendable {
        /// Bytes are still expected, of `size` in all.
        case receiving(size: Int)
        /// All bytes have arrived, and there is no result yet.
        case publishing
        /// With `isCheck`, the build was not to be published.
        case refused(PageProblem, [Finding], isCheck: Bool)
        /// The build could be published, but was only checked.
        case checked(Checked, [Finding])
        case published(Published, [Finding])
    }

    /// The forms that publish or drop a checked build.
    struct Choice: Sendable {
        let url: String
        let code: String
        /// The button's text; nil for an admin who did not upload the build.
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
        ///   - title: the app's title.
        ///   - release: the release that it would become.
        ///   - channel: the channel of the release.
        ///   - isNew: false if the same file is already published.
        ///   - registered: the number of devices in use.
        ///   - canInstall: how many of them can install it.
        ///   - mayPublish: whether the visitor uploaded it.
        ///   - url: the target of the forms.
        ///   - code: the value of each form's `form` field.
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

    /// The release that was published.
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
        ///   - title: the app's title.
        ///   - release: the release.
        ///   - channel: the channel of the release.
        ///   - isNew: false if the same file was already published.
        ///   - isOffered: whether the channel offers it.
        ///   - registered: the number of devices in use.
        ///   - canInstall: how many of them can install it.
        ///   - remarks: remarks, if the same file had been published before.
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
