package import Addresses
import Bytes
package import Problems
import Releases

/// The address of a webhook in the normalised form that this program uses: an HTTP URL, or `mailto:` and an
/// e-mail address.
///
/// Everything that two URL parsers could read as two hosts is refused: user and password, backslashes,
/// addresses in decimal, octal, hexadecimal or with fewer than four parts, zones, and percent signs and
/// non-ASCII characters in the host. So the host that is checked is the one that is connected to.
package struct WebhookURL: Hashable, Sendable {
    package enum Host: Hashable, Sendable {
        /// A DNS name in lower case, without a trailing dot.
        case name(String)
        case address(InternetAddress)
        /// The receiver of e-mail.
        case mail(MailAddress)
    }

    /// In bytes.
    package static let lengthLimit = 2000

    package let isSecure: Bool
    package let host: Host
    package let port: Int
    /// Path and query, beginning with `/`.
    package let target: String

    package init(checking text: String) throws(MalformedWebhookURL) {
        guard text.utf8.count <= Self.lengthLimit else { throw .tooLong }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .notPlain }
        let lowered = text.lowercased()
        var rest: Substring
        if lowered.hasPrefix("https://") {
            isSecure = true
            rest = text.dropFirst("https://".count)
        } else if lowered.hasPrefix("http://") {
            isSecure = false
            rest = text.dropFirst("http://".count)
        } else if lowered.hasPrefix("mailto:") {
            guard let address = MailAddress(String(text.dropFirst("mailto:".count))) else {
                throw .mailAddress
            }
            isSecure = true
            host = .mail(address)
            port = 0
            target = "/"
            return
        } else {
            throw .scheme
        }
        guard !text.contains("\\") else { throw .notPlain }
        guard !text.contains("#") else { throw .fragment }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        rest = rest.dropFirst(authority.utf8.count)
        guard !authority.contains("@") else { throw .credentials }
        let (name, port) = try Self.split(authority)
        host = try Self.host(name)
        self.port = try Self.port(port) ?? (isSecure ? 443 : 80)
        target = rest.hasPrefix("/") ? String(rest) : "/" + rest
    }

    /// Whether it is an e-mail address.
    package var isMail: Bool { if case .mail = host { true } else { false } }

    /// The host and, unless it is the default one, the port.
    package var authority: String {
        if case .mail(let address) = host { return "\(address)" }
        return isUsualPort ? hostText : "\(hostText):\(port)"
    }

    /// The whole URL, which may be a secret.
    package var text: String {
        if case .mail(let address) = host { return "mailto:\(address)" }
        return "\(isSecure ? "https" : "http")://\(authority)\(target)"
    }

    /// The URL for display: path and query often are the secret.
    package var shown: String {
        if case .mail = host { return text }
        let origin = "\(isSecure ? "https" : "http")://\(authority)"
        return target == "/" ? origin + "/" : origin + "/…"
    }

    /// The host in the form of URL parsers, without brackets.
    var hostName: String {
        switch host {
        case .name(let name): name
        case .address(let address): "\(address)"
        case .mail(let address): address.domain
        }
    }

    private var hostText: String {
        if case .address(.v6) = host { return "[\(hostName)]" }
        return hostName
    }

    private var isUsualPort: Bool { port == (isSecure ? 443 : 80) }

    private static func split(
        _ authority: Substring
    ) throws(MalformedWebhookURL) -> (host: Substring, port: Substring?) {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { throw .host }
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw .host }
            return (authority[...end], rest.isEmpty ? nil : rest.dropFirst())
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first else { throw .host }
        return (host, parts.count == 2 ? parts[1] : nil)
    }

    private static func host(_ text: Substring) throws(MalformedWebhookURL) -> Host {
        if text.hasPrefix("[") {
            guard let address = InternetAddress(v6: text.dropFirst().dropLast()) else {
                throw .host
            }
            return .address(address)
        }
        if let address = InternetAddress(v4: text) { return .address(address) }
        let name = text.lowercased()
        let labels = (name.hasSuffix(".") ? name.dropLast() : name[...])
            .split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel), name.utf8.count <= 253, let last = labels.last else {
            throw .host
        }
        // Some parsers read `127.1`, `0x7f000001` and `2130706433` as addresses, others as names.
        guard let first = last.utf8.first, !isDigit(first) else { throw .numericHost }
        return .name(labels.joined(separator: "."))
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.utf8.first != hyphen
            && label.utf8.last != hyphen
            && label.utf8.allSatisfy {
                isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == hyphen
                    || $0 == UInt8(ascii: "_")
            }
    }

    private static func port(_ text: Substring?) throws(MalformedWebhookURL) -> Int? {
        guard let text else { return nil }
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(isDigit),
            let port = Int(text), (1...65535).contains(port)
        else { throw .port }
        return port
    }

    private static let hyphen = UInt8(ascii: "-")

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

extension WebhookURL: TextCoded {
    package init?(_ text: String) {
        do throws(MalformedWebhookURL) {
            let url: WebhookURL = try .init(checking: text)
            self = url
        } catch {
            return nil
        }
    }

    package var description: String { text }

    package static let kindOfText = "a URL such as https://host/path"
}

/// Why a text is not the URL of a webhook.
package enum MalformedWebhookURL: ReportableError, Equatable, Sendable {
    case tooLong, notPlain, scheme, fragment, credentials, host, numericHost, port
    /// `mailto:` is not followed by an e-mail address.
    case mailAddress
    /// The URL is `mailto:` but the kind is not e-mail, or the reverse.
    case otherKind

    package var description: String {
        switch self {
        case .tooLong: "the URL has more than \(WebhookURL.lengthLimit) bytes"
        case .notPlain: "the URL has a space, a backslash or a character beyond ASCII"
        case .scheme: "the URL begins with neither https:// nor http://"
        case .fragment: "the URL has a fragment, which is never sent to a server"
        case .credentials: "the URL has a user name or a password before its host"
        case .host: "the URL has no unambiguous host name or address"
        case .numericHost:
            "the URL's host is a number that could be an address or a name"
        case .mailAddress: "there is no e-mail address after mailto:"
        case .otherKind: "an e-mail address needs the kind email, and only that kind takes one"
        case .port: "the URL's port is not a number from 1 to 65535"
        }
    }

    package var id: String { "webhook.bad-url" }
    package var kind: Problem.Kind { .invalid }

    package var fix: String {
        switch self {
        case .numericHost: "write the address as four numbers with dots, or give a name"
        case .host: "write a non-ASCII name in its xn-- form, and an IPv6 address in [ ]"
        case .mailAddress, .otherKind: "give mailto:ana@example.com with the kind email"
        default: "give it as https://host/path"
        }
    }
}
