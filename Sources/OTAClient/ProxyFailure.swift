package import Problems
package import Releases

/// Why a connection through a proxy failed.
package enum ProxyFailure: ReportableError, Equatable {
    /// The variable does not contain the URL of a usable proxy.
    case unusable(variable: String, ProxyServer.Flaw)
    case unreachable(ProxyServer, reason: String)
    /// The certificate of an HTTPS proxy is not issued by a trusted authority.
    case untrusted(ProxyServer, reason: String)
    /// The proxy answered `CONNECT` with an error status.
    case refused(ProxyServer, status: Int, BaseURL)
    case tooSlow(ProxyServer, BaseURL)
    case cut(ProxyServer, BaseURL)
    /// The proxy's answer is not HTTP.
    case notUnderstood(ProxyServer)
}

extension ProxyFailure {
    /// Whether another attempt may succeed.
    var isPassing: Bool {
        switch self {
        case .unreachable, .tooSlow, .cut: true
        case .refused(_, let status, _): status >= 500 || [408, 425, 429].contains(status)
        case .unusable, .untrusted, .notUnderstood: false
        }
    }

    package var id: String { problem.id }
    package var kind: Problem.Kind { problem.kind }
    package var description: String { problem.message }
    package var place: String { problem.place }
    package var fix: String { problem.fix }

    package var problem: Problem {
        switch self {
        case .unusable(let variable, let flaw):
            .init(
                id: flaw.id,
                kind: flaw.kind,
                message: "the proxy in the environment cannot be used: \(flaw)",
                place: variable,
                fix: flaw.fix,
            )
        case .unreachable(let proxy, let reason):
            .init(
                id: "proxy.unreachable",
                kind: .unavailable,
                message: "the proxy cannot be reached: \(reason)",
                place: "\(proxy)",
                fix: "check the address in \(proxy.variable), and that the proxy runs there",
            )
        case .untrusted(let proxy, let reason):
            .init(
                id: "proxy.untrusted",
                kind: .refused,
                message: "the proxy's identity cannot be verified: \(reason)",
                place: "\(proxy)",
                fix: "add its authority to those that this machine trusts, or to --ca-file; for "
                    + "a proxy without TLS, write http:// in \(proxy.variable)",
            )
        case .refused(let proxy, let status, let server):
            Self.problem(of: status, by: proxy, for: server)
        case .tooSlow(let proxy, let server):
            .init(
                id: "proxy.too-slow",
                kind: .unavailable,
                message: "the proxy did not connect to \(server.hostAndPort) in time",
                place: "\(proxy)",
                fix: "try again, and check that the proxy can reach that host",
            )
        case .cut(let proxy, let server):
            .init(
                id: "proxy.cut",
                kind: .unavailable,
                message: "the proxy ended the connection instead of connecting to "
                    + server.hostAndPort,
                place: "\(proxy)",
                fix: "try again, check the proxy's log, and whether \(proxy.variable) begins "
                    + "with http:// or https://",
            )
        case .notUnderstood(let proxy):
            .init(
                id: "proxy.not-understood",
                kind: .unavailable,
                message: "something other than a proxy answered",
                place: "\(proxy)",
                fix: "check the port in \(proxy.variable), and whether it begins with http:// or "
                    + "https://",
            )
        }
    }

    private static func problem(
        of status: Int,
        by proxy: ProxyServer,
        for server: BaseURL,
    ) -> Problem {
        switch status {
        // Some proxies answer 401, as a server would.
        case 401, 407:
            .init(
                id: "proxy.not-authorized",
                kind: .unauthorised,
                message: proxy.credentials == nil
                    ? "the proxy requires a user name and password (status \(status))"
                    : "the proxy rejects this user name and password (status \(status))",
                place: "\(proxy)",
                fix: "give them in \(proxy.variable) as \(form)",
            )
        case 500...:
            .init(
                id: "proxy.unable",
                kind: .unavailable,
                message: "the proxy cannot connect to \(server.hostAndPort) (status \(status))",
                place: "\(proxy)",
                fix: "check the server's address, and that the proxy can reach it; list servers "
                    + "that need no proxy in NO_PROXY",
            )
        default:
            .init(
                id: "proxy.refused",
                kind: .refused,
                message: "the proxy does not allow connections to \(server.hostAndPort) (status "
                    + "\(status))",
                place: "\(proxy)",
                fix: "allow CONNECT to that host and port there; list servers that need no proxy "
                    + "in NO_PROXY",
            )
        }
    }

    static let form =
        "http://name:password@proxy.example.com:3128, name and password if it requires them, with "
        + "%40 for @, %3A for : and %2F for / inside"
}
