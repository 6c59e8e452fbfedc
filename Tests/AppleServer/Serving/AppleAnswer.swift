import Bytes

/// A response.
struct AppleAnswer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// Whether the connection is closed without a response.
    var isCut = false
    /// Delay before it is sent, in seconds.
    var delay = 0.0
    /// The process that is killed when it is sent.
    var victim: Int32?

    static func json(_ value: JSONValue, status: Int = 200) -> AppleAnswer {
        AppleAnswer(status: status, body: value.bytes)
    }

    /// A refusal in Apple's form.
    static func refusal(
        _ status: Int,
        _ code: String,
        _ detail: String,
        title: String = "There is a problem with the request entity",
        pointer: String? = nil,
    ) -> AppleAnswer {
        var error: [String: JSONValue] = [
            "id": .text("00000000-0000-4000-8000-000000000000"), "status": .text("\(status)"),
            "code": .text(code), "title": .text(title), "detail": .text(detail),
        ]
        if let pointer { error["source"] = .object(["pointer": .text(pointer)]) }
        return .json(.object(["errors": .list([.object(error)])]), status: status)
    }

    static let unauthorised = refusal(
        401,
        "NOT_AUTHORIZED",
        "Provide a properly configured and signed bearer token, and make sure that it has not "
            + "expired.",
        title: "Authentication credentials are missing or invalid.",
    )

    static let roleMissing = refusal(
        403,
        "FORBIDDEN_ERROR",
        "The API key in use does not allow this request",
        title: "This request is forbidden for security reasons",
    )

    static let agreementMissing = refusal(
        403,
        "FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED",
        "This request requires an in-effect agreement that has not been signed or has expired.",
        title: "A required agreement is missing or has expired.",
    )

    static func notFound(_ type: String, _ id: String) -> AppleAnswer {
        refusal(
            404,
            "NOT_FOUND",
            "There is no resource of type '\(type)' with id '\(id)'",
            title: "The specified resource does not exist",
        )
    }
}
