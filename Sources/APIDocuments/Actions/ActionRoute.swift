package import Access

/// The method and path of an action in the API, the right that it needs, and its parameters.
package struct ActionRoute: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// The right that a token must have.
    package enum Right: Equatable, Sendable {
        /// Any valid token.
        case anyToken
        /// A right on the app in `{app}`; to a token that may not read the app, the app does not exist.
        case onApp(Scope.Action)
        /// A right on all apps and on everything that belongs to no app.
        case everywhere(Scope.Action)
    }

    /// The status code of a successful response (RFC 9110 15.3).
    package enum Success: Int, Sendable {
        case done = 200
        /// Something new was created.
        case created = 201
        /// Another process will do it.
        case accepted = 202
    }

    /// One parameter of the query.
    package struct Parameter: Sendable {
        package enum Kind: Sendable {
            case text
            /// `true` or `false`; false if absent.
            case flag
            /// A whole number within bounds, and its default.
            case number(ClosedRange<Int>, usual: Int)
        }

        package let name: String
        package let kind: Kind

        /// A parameter whose value is any text.
        package static func text(_ name: String) -> Parameter {
            Parameter(name: name, kind: .text)
        }

        /// A parameter whose value is `true` or `false`; false if it is absent.
        package static func flag(_ name: String) -> Parameter {
            Parameter(name: name, kind: .flag)
        }

        /// A parameter whose value is a whole number.
        ///
        /// - Parameters:
        ///   - name: the name of the parameter.
        ///   - bounds: the accepted values.
        ///   - usual: the default.
        /// - Returns: the parameter.
        package static func number(
            _ name: String,
            in bounds: ClosedRange<Int>,
            else usual: Int,
        ) -> Parameter {
            Parameter(name: name, kind: .number(bounds, usual: usual))
        }
    }

    package let method: Method
    /// The path after `/api/v1`, such as `/webhooks/{webhook}`.
    package let path: String
    package let right: Right
    package let query: [Parameter]
    /// The largest body in bytes; 0 for a request without one.
    package let bodyLimit: Int
    package let success: Success
    /// The path placeholders that are whole numbers above 0; any other value is not found.
    package let numbers: Set<String>
    /// Whether the response has an `ETag`, which a change can require with `If-Match`.
    package let hasVersion: Bool

    /// Describes a route.
    ///
    /// - Parameters:
    ///   - method: the request method.
    ///   - path: the path after `/api/v1`; a part in braces is the property of that name.
    ///   - right: the right that a token must have.
    ///   - query: the accepted parameters.
    ///   - bodyLimit: the largest body in bytes; nil means 16 KiB if the method has a body, otherwise 0.
    ///   - success: the status code of a successful response.
    ///   - numbers: the path placeholders that are whole numbers above 0.
    ///   - hasVersion: whether the response shows one item with an entity tag (RFC 9110 8.8.3).
    package init(
        _ method: Method,
        _ path: String,
        _ right: Right,
        query: [Parameter] = [],
        bodyLimit: Int? = nil,
        success: Success = .done,
        numbers: Set<String> = [],
        hasVersion: Bool = false,
    ) {
        self.method = method
        self.path = path
        self.right = right
        self.query = query
        let hasBody = [.post, .put, .patch].contains(method)
        self.bodyLimit = bodyLimit ?? (hasBody ? Self.usualBodyLimit : 0)
        self.success = success
        self.numbers = numbers
        self.hasVersion = hasVersion
    }

    private static let usualBodyLimit = 16 << 10
}
