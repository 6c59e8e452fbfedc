import Bytes
package import Problems

/// The URL at which testers reach the server: `https://host[:port][/path]`, without a trailing slash.
///
/// Links are made from it alone, never from a request.
package struct BaseURL: Hashable, Sendable, Codable, CustomStringConvertible {
    package let rawValue: String
    /// The host of the URL in lower case; an IPv6 address keeps its brackets.
    package let host: String
    package let port: Int?
    /// Empty, or a path that starts with `/`, for a server behind a proxy.
    package let path: String

    /// Parses an absolute HTTPS URL without user, query and fragment.
    ///
    /// - Throws: ``MalformedBaseURL``.
    package init(_ text: String) throws(MalformedBaseURL) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), text.utf8.count <= 1024 else {
            throw MalformedBaseURL(text: text, reason: .characters)
        }
        let lowered = text.lowercased()
        guard lowered.hasPrefix("https://") else {
            throw MalformedBaseURL(text: text, reason: .notHTTPS)
        }
        let rest = text.dropFirst("https://".count)
        guard !rest.contains(where: { "?#@\"<>\\^`{|}".contains($0) }) else {
            throw MalformedBaseURL(text: text, reason: .extraParts)
        }
        let authority = rest.prefix { $0 != "/" }
        var path = String(rest.dropFirst(authority.count))
        while path.hasSuffix("/") { path.removeLast() }
        guard !path.contains("//"),
            !path.split(separator: "/").contains(where: Self.isDotted)
        else { throw MalformedBaseURL(text: text, reason: .path) }
        (host, port) = try Self.split(authority, of: text)
        self.path = path
        rawValue = "https://" + host + (port.map { ":\($0)" } ?? "") + path
    }

    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package var description: String { rawValue }

    private static func split(
        _ authority: Substring,
        of text: String,
    ) throws(MalformedBaseURL) -> (String, Int?) {
        let lowered = authority.lowercased()
        let hostEnd: String.Index
        if lowered.hasPrefix("[") {
            guard let bracket = lowered.firstIndex(of: "]") else {
                throw MalformedBaseURL(text: text, reason: .host)
            }
            hostEnd = lowered.index(after: bracket)
        } else {
            hostEnd = lowered.firstIndex(of: ":") ?? lowered.endIndex
        }
        let host = String(lowered[..<hostEnd])
        let tail = lowered[hostEnd...]
        guard isHost(host) else {
            throw MalformedBaseURL(text: text, reason: .host)
        }
        if tail.isEmpty { return (host, nil) }
        guard tail.hasPrefix(":"), tail.dropFirst().allSatisfy(\.isWholeNumber),
            let port = UInt16(tail.dropFirst()), port > 0
        else {
            throw MalformedBaseURL(text: text, reason: .port)
        }
        return (host, port == 443 ? nil : Int(port))
    }

    private static func isHost(_ host: String) -> Bool {
        if host.hasPrefix("[") {
            return host.contains(":")
                && host.dropFirst().dropLast().allSatisfy {
                    $0.isHexDigit || $0 == ":" || $0 == "."
                }
        }
        return host.utf8.count <= 253
            && host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count)
                    && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            }
    }

    /// Whether a client treats the segment as `.` or `..`, including with percent-encoded dots.
    private static func isDotted(_ part: Substring) -> Bool {
        [".", ".."].contains(
            part.lowercased().split(separator: "%2e", omittingEmptySubsequences: false).joined(
                separator: "."
            )
        )
    }
}

/// A `--base-url` that cannot be used, and how to fix it.
package struct MalformedBaseURL: ReportableError, Equatable {
    package enum Reason: Sendable {
        case notHTTPS, host, port, path, extraParts, characters
    }

    package let text: String
    package let reason: Reason

    package var description: String {
        let why =
            switch reason {
            case .notHTTPS: "must begin with https://, because phones install only over HTTPS"
            case .host: "has no usable host name"
            case .port: "has a port outside 1 to 65535"
            case .path: "has a path with empty or dotted parts"
            case .extraParts: "must be scheme, host, port and path only"
            case .characters: "must be printable ASCII; write other names in Punycode"
            }
        return "base URL \(quoted: text) \(why)"
    }
}

extension MalformedBaseURL {
    package var id: String { "base-url.malformed" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "give it as https://host, https://host:port or https://host/path" }
}
