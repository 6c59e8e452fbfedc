import Bytes
import Essentials
package import Problems

/// The address of the App Store Connect API.
package struct AppleEndpoint: Sendable, Equatable {
    /// Apple's own server.
    package static let apple = AppleEndpoint(origin: "https://api.appstoreconnect.apple.com")

    /// Scheme, host and port, without a trailing slash.
    package let origin: String

    private init(origin: String) {
        self.origin = origin
    }

    /// - Parameter text: an `https` URL without path, query or user.
    /// - Throws: ``MalformedEndpoint``.
    package init(_ text: String) throws(MalformedEndpoint) {
        let scheme = "https://"
        guard text.utf8.count <= 300, text.lowercased().hasBytes(first: scheme) else {
            throw MalformedEndpoint(text: text)
        }
        let trimmed = text.hasBytes(last: "/") ? String(text.dropLast()) : text
        let authority = trimmed.dropFirst(scheme.count).lowercased()
        guard !authority.isEmpty, authority.utf8.allSatisfy(Self.isAllowed),
            let url = URL(string: scheme + authority), let host = url.host(), !host.isEmpty,
            url.user == nil
        else { throw MalformedEndpoint(text: text) }
        self.init(origin: scheme + authority)
    }

    /// The path and query of a URL at this endpoint.
    ///
    /// - Parameter address: an absolute URL, as Apple gives the next page of a list; its query may repeat
    ///   a parameter and is not changed.
    /// - Returns: nil for a URL of another server or form.
    func target(of address: String) -> String? {
        guard address.utf8.count <= Self.longestAddress,
            address.utf8.allSatisfy({ (0x21..<0x7f).contains($0) }),
            address.hasBytes(first: origin + "/v1/")
        else { return nil }
        return String(address.dropFirst(origin.count))
    }

    private static let longestAddress = 4096

    /// Whether a byte is allowed in host names, IP addresses and ports.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["),
            UInt8(ascii: "]"):
            true
        default: false
        }
    }
}

/// A text that is not the URL of an App Store Connect API.
package struct MalformedEndpoint: ReportableError, Equatable {
    package let text: String

    package var description: String {
        "\(quoted: text) must be an https address without a path, a query or a user name"
    }
}

extension MalformedEndpoint {
    package var id: String { "apple.bad-address" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "give an address such as \(AppleEndpoint.apple.origin)" }
}
