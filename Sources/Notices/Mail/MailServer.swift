import Addresses
import Bytes
package import NIOSSL

/// The mail server that relays all e-mail: its URL, the login, and the sender's address.
package struct MailServer: Sendable {
    package let url: MailServerURL
    /// The sender's address of messages.
    package let from: MailAddress
    /// Nil for a server that requires no authentication.
    package let login: MailLogin?
    /// Certificate authorities that may sign its certificate, in addition to the system's.
    package let authorities: [NIOSSLCertificate]

    /// - Parameters:
    ///   - url: the server's URL.
    ///   - from: the sender's address of messages.
    ///   - login: user and password; never sent without TLS.
    ///   - authorities: certificate authorities to trust in addition to the system's.
    package init(
        _ url: MailServerURL,
        from: MailAddress,
        login: MailLogin? = nil,
        authorities: [NIOSSLCertificate] = [],
    ) {
        self.url = url
        self.from = from
        self.login = login
        self.authorities = authorities
    }
}

/// User and password for a mail server.
package struct MailLogin: Sendable {
    /// The length limit of each, in bytes.
    package static let lengthLimit = 256

    let user: String
    let password: String

    /// - Returns: nil for texts that are empty, too long, or contain control characters.
    package init?(user: String, password: String) {
        for text in [user, password] {
            guard (1...Self.lengthLimit).contains(text.utf8.count),
                text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { return nil }
        }
        self.user = user
        self.password = password
    }
}

/// `smtps://mail.example.com` (TLS from the first byte, port 465), or `smtp://mail.example.com` (STARTTLS,
/// port 587); without TLS only for a server on this machine.
package struct MailServerURL: TextCoded, Hashable, Sendable {
    package enum Security: Hashable, Sendable {
        case implicitTLS
        case startTLS
        /// A server on this machine.
        case none
    }

    /// In bytes.
    private static let lengthLimit = 300

    package let host: String
    package let port: Int
    package let security: Security
    /// The name that the server's certificate must contain; nil for an IP address.
    let name: String?

    package static let kindOfText =
        "smtps://host or smtp://host, where a port may follow, such as smtp://mail.example.com:587"

    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.lengthLimit, parts.count == 2, parts[1].hasPrefix("//"),
            ["smtp", "smtps"].contains(parts[0].lowercased())
        else { return nil }
        let isImplicit = parts[0].lowercased() == "smtps"
        var rest = parts[1].dropFirst(2)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let usual = isImplicit ? 465 : 587
        guard let (host, port) = Self.split(rest, else: usual) else { return nil }
        if host.hasPrefix("[") {
            guard let address = InternetAddress(v6: host.dropFirst().dropLast()) else { return nil }
            self.host = "\(address)"
            name = nil
        } else if let address = InternetAddress(v4: host) {
            self.host = "\(address)"
            name = nil
        } else {
            guard Self.isName(host) else { return nil }
            self.host = host.lowercased()
            name = self.host
        }
        self.port = port
        let isHere = ["localhost", "127.0.0.1", "::1"].contains(self.host)
        security = isImplicit ? .implicitTLS : isHere ? .none : .startTLS
    }

    private static func split(_ text: Substring, else usual: Int) -> (Substring, port: Int)? {
        let end = text.hasPrefix("[") ? text.firstIndex(of: "]").map(text.index(after:)) : nil
        let colon = text[(end ?? text.startIndex)...].firstIndex(of: ":")
        guard let colon else { return (text, usual) }
        let digits = text[text.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits), (1...65535).contains(port), end == nil || end == colon
        else { return nil }
        return (text[..<colon], port)
    }

    /// Whether the text is a DNS name that cannot be read as an IP address: its last label begins with a
    /// letter.
    private static func isName(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.last?.first?.isLetter == true
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            }
    }

    package var description: String {
        let scheme = security == .implicitTLS ? "smtps" : "smtp"
        return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
