/// An operation that an admin can perform on a store, on this machine or through a server's API.
///
/// The API, its client and the command line all work from this one declaration. The placeholders of the
/// path and the query parameters are properties with the same names; the request body is the property
/// `content`.
package protocol Action: Codable, Sendable {
    /// The type of the request body; `NoContent` if there is none.
    associatedtype Content: ActionContent = NoContent
    /// The type of the response document.
    associatedtype Answer: Encodable & Sendable

    /// The action's method and path in the API, and the right that it needs.
    static var route: ActionRoute { get }
    var content: Content { get }

    /// The path in the API of what the action created, such as `/devices/4f1d0c9a83b2e675`; nil if it
    /// created nothing with a path of its own.
    static func location(of answer: Answer) -> String?
}

extension Action {
    package static func location(of answer: Answer) -> String? { nil }

    /// The default number of entries on a page of a list.
    static var usualPage: Int { 100 }
}

extension Action where Content == NoContent {
    package var content: NoContent { NoContent() }
}

/// The body of a request: a JSON object in which unknown keys are errors.
package protocol ActionContent: Codable, Sendable {
    /// The allowed keys; the server rejects others, so that no typing error goes unnoticed.
    static var keys: Set<String> { get }
    /// The allowed keys of nested objects, by the key of the object.
    static var innerKeys: [String: Set<String>] { get }
    /// Why the values are inconsistent or out of range; nil if they are valid.
    var flaw: ContentFlaw? { get }
}

extension ActionContent {
    package static var innerKeys: [String: Set<String>] { [:] }
    package var flaw: ContentFlaw? { nil }
}

/// Why a well-formed body is invalid, and what to send instead.
package struct ContentFlaw: Equatable, Sendable {
    package let message: String
    package let fix: String

    /// - Parameters:
    ///   - message: what is wrong, as one clause in lower case.
    ///   - fix: what to send instead.
    package init(_ message: String, fix: String) {
        self.message = message
        self.fix = fix
    }
}

/// The body of an action without input: an empty object, or no body at all.
package struct NoContent: ActionContent, Equatable {
    package static let keys: Set<String> = []

    package init() {}
}
