import Bytes
import Essentials
package import Problems

/// The URL of an authority's directory (RFC 8555 section 7.1.1).
package struct ACMEDirectoryAddress: Sendable, Equatable {
    /// Let's Encrypt, whose certificates phones trust.
    package static let letsEncrypt = ACMEDirectoryAddress(
        text: "https://acme-v02.api.letsencrypt.org/directory",
        origin: "https://acme-v02.api.letsencrypt.org:443",
        host: "acme-v02.api.letsencrypt.org",
    )

    /// The whole URL.
    package let text: String
    /// The authority's host, without a port.
    package let host: String
    private let origin: String

    private init(text: String, origin: String, host: String) {
        self.text = text
        self.origin = origin
        self.host = host
    }

    /// - Parameter text: an `https` URL without a user name or fragment; `http` is allowed for an
    ///   authority on this machine.
    /// - Throws: ``MalformedACMEDirectory``.
    package init(_ text: String) throws(MalformedACMEDirectory) {
        guard let parts = Self.parts(of: text),
            parts.isSecure || ["localhost", "127.0.0.1", "[::1]", "::1"].contains(parts.host)
        else { throw MalformedACMEDirectory(text: text) }
        self.init(text: text, origin: parts.origin, host: parts.host)
    }

    /// Whether a URL from the authority may be requested: only `https`, or the directory's own origin, so
    /// that no response directs account requests over an unencrypted connection.
    func allows(_ address: String) -> Bool {
        guard let parts = Self.parts(of: address) else { return false }
        return parts.isSecure || parts.origin.isBytes(of: origin)
    }

    /// The host of a URL, for messages.
    static func host(of address: String) -> String {
        parts(of: address)?.host ?? "the authority"
    }

    private static let longest = 2048

    private static func parts(of text: String) -> (origin: String, host: String, isSecure: Bool)? {
        guard text.utf8.count <= longest, text.utf8.allSatisfy({ (0x21..<0x7f).contains($0) }),
            let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            scheme == "https" || scheme == "http", let host = url.host()?.lowercased(),
            !host.isEmpty, url.user() == nil, url.fragment() == nil
        else { return nil }
        let standard = scheme == "https" ? 443 : 80
        return ("\(scheme)://\(host):\(url.port ?? standard)", host, scheme == "https")
    }
}

/// A text that is not the URL of an ACME directory.
package struct MalformedACMEDirectory: ReportableError, Equatable {
    package let text: String

    package var description: String {
        "\(quoted: text) is not the https address of an ACME directory"
    }
}

extension MalformedACMEDirectory {
    package var id: String { "acme.bad-directory" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "give an address such as \(ACMEDirectoryAddress.letsEncrypt.text)" }
}
