import Bytes
import HTTPTypes
import Pages

/// The browser's response after an action.
enum AdminOutcome: Sendable {
    /// A redirect to a page that shows the message.
    case done(String, goingTo: String)
    /// The same, with a warning or an undo button.
    case reported(ActionReport, goingTo: String)
    /// Nothing was changed: a redirect to the page that was requested.
    case elsewhere(String)
    /// Nothing was changed: the form again, with its input.
    ///
    /// Only such responses are pages, because reloading one sends the form again.
    case again(any AdminPage, HTTPResponse.Status)
}

/// The message of an action, for the page that follows it.
struct ActionReport: Codable, Equatable, Sendable {
    let message: String
    var isWarning = false
    var undo: Undo?

    /// The promotion that restores the channel's previous release.
    struct Undo: Codable, Equatable, Sendable {
        let url: String
        let channel: String
        /// The release that the channel offers now.
        let instead: String
    }

    init(_ message: String) {
        self.message = PrintableText(escaping: message, limit: 300).text
    }
}
