import Bytes
package import Cryptography
package import Problems
package import Releases

/// Why a request to a server failed.
package enum ServerFailure: ReportableError, Equatable {
    /// The server refused the request.
    case refused(Problem)
    case unreachable(BaseURL, reason: String)
    /// The server's certificate is not issued by a trusted authority.
    case untrusted(BaseURL, reason: String)
    /// The server's certificate is for other names; these are unverified.
    case misnamed(BaseURL, names: [AlternativeName])
    /// The response is not from an `ota` server, or from another version.
    case notUnderstood(BaseURL, status: Int)
    case newer(BaseURL, schema: Int)
    case tooSlow(BaseURL)
    case cut(BaseURL)
    /// The proxy could not be reached, or did not connect to the server.
    case proxy(ProxyFailure)
    case noToken
    case malformedToken
}

extension ServerFailure {
    package var id: String { problem.id }
    package var kind: Problem.Kind { problem.kind }
    package var description: String { problem.message }
    package var place: String { problem.place }
    package var fix: String { problem.fix }

    package var problem: Problem {
        switch self {
        case .refused(let problem): Self.problem(ofServer: problem)
        case .unreachable(let url, let reason):
            .init(
                id: "server.unreachable",
                kind: .unavailable,
                message: "the server cannot be reached: \(reason)",
                place: url.rawValue,
                fix:
                    "check the address, and that `ota serve` is running there; if you need a "
                    + "proxy, set HTTPS_PROXY",
            )
        case .misnamed(let url, let names):
            .init(
                id: "server.untrusted",
                kind: .refused,
                message: "the server's identity cannot be verified: "
                    + Self.otherName(than: url.host, names),
                place: url.rawValue,
                fix:
                    "use a name that its certificate covers, or give the SHA-256 of that "
                    + "certificate with --fingerprint or OTA_FINGERPRINT",
            )
        case .untrusted(let url, let reason):
            .init(
                id: "server.untrusted",
                kind: .refused,
                message: "the server's identity cannot be verified: \(reason)",
                place: url.rawValue,
                fix: "give its private authority with --ca-file FILE or OTA_CA_FILE, or the "
                    + "SHA-256 of its certificate with --fingerprint or OTA_FINGERPRINT",
            )
        case .notUnderstood(let url, let status):
            .init(
                id: "server.not-understood",
                kind: .unavailable,
                message: "the answer (status \(status)) did not come from an ota server",
                place: url.rawValue,
                fix: "check the address; behind a reverse proxy include the path",
            )
        case .newer(let url, let schema):
            .init(
                id: "server.newer-schema",
                kind: .unsupported,
                message: "the server answers with schema \(schema), which this version of ota "
                    + "does not know",
                place: url.rawValue,
                fix: "use the same version of ota as the server",
            )
        case .tooSlow(let url):
            .init(
                id: "server.too-slow",
                kind: .unavailable,
                message: "the server did not answer in time",
                place: url.rawValue,
                fix: "try again",
            )
        case .cut(let url):
            .init(
                id: "server.cut",
                kind: .unavailable,
                message: "the connection ended before the answer did",
                place: url.rawValue,
                fix: "check whether the change was made, and try again",
            )
        case .proxy(let failure): failure.problem
        case .noToken:
            .init(
                id: "token.none",
                kind: .unauthorised,
                message: "no token was given for the server",
                fix: "give --token-file FILE or OTA_TOKEN; an admin creates a token with `ota "
                    + "tokens create`",
            )
        case .malformedToken:
            .init(
                id: "token.malformed",
                kind: .unauthorised,
                message: "this is not a token",
                fix: "a token begins with ota_ and is 77 characters long",
            )
        }
    }

    /// Describes a wrong certificate, which may contain any number of names with any content.
    static func otherName(than host: String, _ names: [AlternativeName]) -> String {
        guard !names.isEmpty else { return "its certificate is not for \(host)" }
        let shown = names.prefix(4).map { PrintableText(escaping: $0.description, limit: 80).text }
        let more = names.count > 4 ? " and \(names.count - 4) more" : ""
        return "its certificate is for \(shown.joined(separator: ", "))\(more), not for \(host)"
    }

    /// Returns a server's problem, with fixes for the command line.
    package static func problem(ofServer problem: Problem) -> Problem {
        let fix =
            switch (problem.kind, problem.id) {
            case (.unauthorised, _): "give a valid token with --token-file or OTA_TOKEN"
            case (.refused, "token.not-allowed"):
                "use a token with a wider scope; an admin creates one with `ota tokens create`"
            case (_, "app.unknown"): "see `ota apps list` with the same --server and token"
            default: problem.fix
            }
        return Problem(
            id: problem.id,
            kind: problem.kind,
            message: problem.message,
            place: problem.place,
            fix: fix,
        )
    }
}
