package import Releases

/// The page on which a tester reports a problem, in one field.
package struct FeedbackPage: Page {
    package let chrome: PageChrome
    let name: String
    let formCode: String
    /// The input that was refused; empty otherwise.
    let text: String
    let limit: String
    let facts: [InstallPage.Fact]
    let problem: PageProblem?
    let backURL: String

    /// - Parameters:
    ///   - title: the app's title.
    ///   - release: the build that the tester has.
    ///   - sender: the known properties of the tester and the device.
    ///   - formCode: binds the form to the browser that received it.
    ///   - text: the input that was refused.
    ///   - problem: the reason for the refusal.
    ///   - backURL: the build's page.
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
