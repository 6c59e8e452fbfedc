/// A message, such as that a page is gone, and one link.
package struct MessagePage: Page {
    package let chrome: PageChrome
    let status: String?
    let title: String
    let message: String
    /// The identifier of the problem; nil for other messages.
    let problem: String?
    let action: Action?

    package init(
        status: String? = nil,
        title: String,
        message: String,
        problem: String? = nil,
        action: Action? = nil,
        chrome: PageChrome,
    ) {
        self.status = status
        self.title = title
        self.message = message
        self.problem = problem
        self.action = action
        self.chrome = chrome
    }

    package struct Action: Sendable {
        let title: String
        let url: String

        package init(title: String, url: String) {
            self.title = title
            self.url = url
        }
    }
}
