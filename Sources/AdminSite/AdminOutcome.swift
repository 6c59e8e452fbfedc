import Bytes
import HTTPTypes
import Pages

/// What the browser gets after an action.
enum AdminOutcome: Sendable {
    /// On to a page, which says what was done.
    case done(String, goingTo: String)
    /// The same, with a warning or a way to undo it.
    case reported(ActionReport, goingTo: String)
    /// Nothing was changed: on to a page that shows what was asked for.
    case elsewhere(String)
    /// Nothing was changed: the form again, with what was typed.
    ///
    /// Only what changed nothing is answered with a page: a reload sends the form again.
    case again(any AdminPage, HTTPResponse.Status)
}

/// The message of an action, for the page that follows it.
struct ActionReport: Codable, Equatable, Sendable {
    let message: String
    var isWarning = false
    var undo: Undo?

    /// The promotion that brings back what a channel offered before.
    struct Undo: Codable, Equatable, Sendable {
        let url: String
        let channel: String
        /// What the channel offers now.
        let instead: String
    }

    init(_ message: String) {
        self.message = PrintableText(escaping: message, limit: 300).text
    }
}
