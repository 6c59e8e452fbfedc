/// A request that an admin can make of a store, on this machine or through a server's API.
///
/// One declaration is all that the API, its client and the command line need. The parts of the
/// path and the parameters of the query are properties of the same names; a body is the property
/// `content`.
package protocol Action: Codable, Sendable {
    /// What the body of the request holds; `NoContent` where it holds nothing.
    associatedtype Content: ActionContent = NoContent
    /// The document that says what was done or found.
    associatedtype Answer: Encodable & Sendable

    /// Where the API takes the action, and who may ask for it.
    static var route: ActionRoute { get }
    var content: Content { get }

    /// Where the API shows what the action created, as in `/devices/4f1d0c9a83b2e675`; nil where it
    /// has no address of its own.
    static func location(of answer: Answer) -> String?
}

extension Action {
    package static func location(of answer: Answer) -> String? { nil }

    /// How many entries of a list a page has if the request does not say.
    static var usualPage: Int { 100 }
}

extension Action where Content == NoContent {
    package var content: NoContent { NoContent() }
}

/// What the body of a request holds: a JSON object whose keys are all known.
package protocol ActionContent: Codable, Sendable {
    /// The keys that it may have; the server refuses others, so that no typing error is ignored.
    static var keys: Set<String> { get }
    /// The same of objects inside it, by their key.
    static var innerKeys: [String: Set<String>] { get }
    /// Why the values do not go together, or one is out of its bounds; nil where they are fine.
    var flaw: ContentFlaw? { get }
}

extension ActionContent {
    package static var innerKeys: [String: Set<String>] { [:] }
    package var flaw: ContentFlaw? { nil }
}

/// What is wrong with a body whose values can all be read, and what to send instead.
package struct ContentFlaw: Equatable, Sendable {
    package let message: String
    package let fix: String

    /// - Parameters:
    ///   - message: what is wrong, as one lower-case clause.
    ///   - fix: what to send instead.
    package init(_ message: String, fix: String) {
        self.message = message
        self.fix = fix
    }
}

/// The body of an action that takes nothing: an empty object, or no body at all.
package struct NoContent: ActionContent, Equatable {
    package static let keys: Set<String> = []

    package init() {}
}
