package import Identifiers

/// The groups of a tester's device, each with a button to leave it.
package struct OwnGroupsPage: Page {
    package let chrome: PageChrome
    let device: String
    let groups: [Row]
    let hasGroups: Bool
    let startURL: String

    /// - Parameters:
    ///   - device: its name.
    ///   - groups: those that it is in.
    ///   - leaveURL: where the buttons post to.
    ///   - startURL: the list of apps.
    ///   - chrome: what surrounds the page.
    package init(
        device: String,
        groups: [GroupName],
        leaveURL: String,
        startURL: String,
        chrome: PageChrome,
    ) {
        self.chrome = chrome
        self.device = device
        self.startURL = startURL
        hasGroups = !groups.isEmpty
        self.groups = groups.map {
            Row(
                group: $0.rawValue,
                leaveURL: leaveURL,
                label: chrome.words.text("groups.leave.one", ["group": $0.rawValue]),
            )
        }
    }

    struct Row: Sendable {
        let group: String
        let leaveURL: String
        /// What the button says to who hears the page.
        let label: String
    }
}
