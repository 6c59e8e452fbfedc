package import Identifiers

/// The groups of a tester's device, each with a button to leave it.
package struct OwnGroupsPage: Page {
    package let chrome: PageChrome
    let device: String
    let groups: [Row]
    let hasGroups: Bool
    let startURL: String

    /// - Parameters:
    ///   - device: the device's name.
    ///   - groups: the groups that it is in.
    ///   - leaveURL: the target of the buttons' forms.
    ///   - startURL: the list of apps.
    ///   - chrome: the page's header and footer.
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
        /// The button's label for screen readers.
        let label: String
    }
}
