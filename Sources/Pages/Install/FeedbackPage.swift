package import Releases

/// Where a tester says what went wrong, in one field.
package struct FeedbackPage: Page {
    package let chrome: PageChrome
    let name: String
    let formCode: String
    /// What was typed, where it was refused.
    let text: String
    let limit: String
    let facts: [InstallPage.Fact]
    let problem: PageProblem?
    let backURL: String

    /// - Parameters:
    ///   - title: the app's title.
    ///   - release: the build that the tester has.
    ///   - sender: what the server knows of the tester and the device.
    ///   - formCode: binds the form to the browser that was given it.
    ///   - text: what was typed, where it was refused.
    ///   - problem: the reason for the refusal.
    ///   - backURL: the page of the build.
    ///   - chrome: the page's header and footer.
    package init(
        title: String,
        release: ReleaseIdentifier,
        sender: Feedback.Sender,
        formCode: String,
        text: String = "",
        problem: PageProblem? = nil,
        backURL: String,
        chrome: PageChrome,
    ) {
        let words = chrome.words
        self.chrome = chrome
        name = title
        self.formCode = formCode
        self.text = text
        limit = "\(Feedback.longestText)"
        let device = [sender.name, sender.model].compactMap(\.self)
        facts = [
            sender.person.map { InstallPage.Fact(words.text("feedback.person"), $0) },
            InstallPage.Fact(
                words.text("feedback.device"),
                device.isEmpty ? words.text("feedback.unknown") : device.joined(separator: ", "),
            ),
            sender.os.map { InstallPage.Fact(words.text("feedback.system"), "iOS \($0)") },
            InstallPage.Fact(words.text("feedback.build"), release.words),
        ].compactMap(\.self)
        self.problem = problem
        self.backURL = backURL
    }
}
