package import Identifiers
package import Releases

/// The form that publishes a build from the browser.
package struct PublishPage: AdminPage {
    package let admin: AdminChrome
    let appsURL: String
    let uploadsURL: String
    let outcomeURL: String
    let scriptURL: String
    let command: String
    let channel: String
    let channels: [String]
    let notesLimit: String
    let signInURL: String
    let hasChecked: Bool
    let checked: [CheckedFile]

    /// - Parameters:
    ///   - channel: the default channel.
    ///   - channels: further channels to suggest.
    ///   - base: the server's base URL.
    ///   - links: builds paths of admin pages.
    ///   - scriptURL: the script that uploads the file.
    ///   - checked: the visitor's checked files, newest first.
    ///   - admin: the page's header and navigation.
    package init(
        channel: ChannelName,
        channels: [ChannelName],
        base: BaseURL,
        links: AdminLinks,
        scriptURL: String,
        checked: [CheckedFile],
        admin: AdminChrome,
    ) {
        self.admin = admin
        appsURL = links.apps
        uploadsURL = base.path + "/api/v1/uploads"
        outcomeURL = links.publish
        self.scriptURL = scriptURL
        command = "ota publish build.ipa --server \(base) --token-file token"
        self.channel = channel.rawValue
        self.channels = channels.map(\.rawValue)
        notesLimit = "20000"
        signInURL = links.signIn(leadingTo: links.publish)
        hasChecked = !checked.isEmpty
        self.checked = checked
    }
}
