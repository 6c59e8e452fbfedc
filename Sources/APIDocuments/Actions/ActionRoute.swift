package import Access

/// Where the API takes an action, what a token must allow for it, and what may be sent.
package struct ActionRoute: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// What a token must allow.
    package enum Right: Equatable, Sendable {
        /// Any token that is in use.
        case anyToken
        /// On the app that `{app}` names; a token that may not read it finds no such app.
        case onApp(Scope.Action)
        /// On all apps, and on what belongs to none.
        case everywhere(Scope.Action)
    }

    /// The status of an answer (RFC 9110 15.3).
    package enum Success: Int, Sendable {
        case done = 200
        /// Something new is there.
        case created = 201
        /// Another process will do it.
        case accepted = 202
    }

    /// One parameter of the query.
    package struct Parameter: Sendable {
        package enum Kind: Sendable {
            case text
            /// `true` or `false`; false where it is absent.
            case flag
            /// A whole number within bounds, and its value where it is absent.
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
        ///   - name: of the parameter.
        ///   - bounds: the values that are accepted.
        ///   - usual: the value if the parameter is absent.
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
    /// Behind `/api/v1`, as in `/webhooks/{webhook}`.
    package let path: String
    package let right: Right
    package let query: [Parameter]
    /// Bytes of the body; 0 for a request that has none.
    package let bodyLimit: Int
    package let success: Success
    /// Parts of the path that are whole numbers above 0; the server finds nothing at others.
    package let numbers: Set<String>
    /// Whether the answer has an `ETag`, and a change can be bound to it with `If-Match`.
    package let hasVersion: Bool

    /// Describes a route.
    ///
    /// - Parameters:
    ///   - method: of the request.
    ///   - path: behind `/api/v1`; a part in braces is the property of that name.
    ///   - right: what a token must allow.
    ///   - query: the parameters that are accepted.
    ///   - bodyLimit: in bytes; nil stands for 16 KiB where the method has a body, and for none
    ///     elsewhere.
    ///   - success: what the status of an answer says.
    ///   - numbers: the parts of the path that are whole numbers above 0.
    ///   - hasVersion: whether the answer shows one thing with its version (RFC 9110 8.8.3).
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
