/// Why a mail server did not accept a message; recorded as the delivery's outcome.
enum MailFailure: Error, CustomStringConvertible {
    /// The server was started without a mail server.
    case noServer
    /// The command, and the mail server's reply to it.
    case refused(step: String, code: Int, text: String)
    case noTLS
    case noLogin
    /// The mail server sent something after its reply to STARTTLS, which an attacker may have injected.
    case spokeBeforeTLS
    case malformed
    case closed
    case tooSlow(Duration)

    var description: String {
        switch self {
        case .noServer:
            "only a running server sends e-mail, and only with --smtp: test the webhook with "
                + "`ota webhooks test` and --server"
        case .refused(let step, let code, let text):
            "the mail server answered \(step) with \(code) \(NoticeWriter.plain(text))"
        case .noTLS: "the mail server offers no STARTTLS, so nothing was sent"
        case .noLogin: "the mail server offers neither AUTH PLAIN nor AUTH LOGIN"
        case .spokeBeforeTLS:
            "the mail server sent more than its answer to STARTTLS, so nothing was sent"
        case .malformed: "the mail server's answer is not SMTP"
        case .closed: "the mail server closed the connection"
        case .tooSlow(let limit):
            "the mail server did not accept the message within \(limit.components.seconds) seconds"
        }
    }

    /// Whether another attempt would fail too: the address or the message is rejected permanently.
    var isHopeless: Bool {
        guard case .refused(let step, let code, _) = self else { return false }
        return (500..<600).contains(code) && ["RCPT TO", "DATA", "the message"].contains(step)
    }
}
