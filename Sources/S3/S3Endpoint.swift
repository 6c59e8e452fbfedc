import Bytes
package import Problems

/// The URL of an S3-compatible store.
package struct S3Endpoint: Sendable, Equatable {
    /// Whether it uses TLS.
    package let isSecure: Bool
    /// In lower case.
    package let host: String
    /// Nil for the scheme's default port.
    package let port: Int?

    /// Parses a URL such as `https://s3.example.com:9000`.
    ///
    /// - Parameters:
    ///   - text: scheme, host and optionally a port, without a path.
    ///   - allowsPlainText: whether to accept `http` too. Requests are signed, but their contents can be
    ///     read in transit.
    /// - Throws: ``MalformedS3Address``.
    package init(_ text: String, allowsPlainText: Bool = false) throws(MalformedS3Address) {
        let lower = text.lowercased()
        let rest: Substring
        if lower.hasBytes(first: "https://") {
            isSecure = true
            rest = lower.dropFirst("https://".count)
        } else if lower.hasBytes(first: "http://") {
            guard allowsPlainText else { throw .plainText(text) }
            isSecure = false
            rest = lower.dropFirst("http://".count)
        } else {
            throw .endpoint(text)
        }
        let authority = rest.hasBytes(last: "/") ? rest.dropLast() : rest
        let colon = authority.utf8.last == UInt8(ascii: "]") ? nil : authority.lastIndex(of: ":")
        let name = colon.map { authority[..<$0] } ?? authority
        guard text.utf8.count <= 300, !name.isEmpty, name.utf8.allSatisfy(Self.isAllowed) else {
            throw .endpoint(text)
        }
        host = String(name)
        if let colon {
            let digits = authority[authority.index(after: colon)...]
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
                (1...65_535).contains(number)
            else { throw .endpoint(text) }
            port = number == (isSecure ? 443 : 80) ? nil : number
        } else {
            port = nil
        }
    }

    private init(host: String) {
        isSecure = true
        self.host = host
        port = nil
    }

    /// Amazon's endpoint of a region.
    static func amazon(_ region: String) -> S3Endpoint {
        S3Endpoint(host: "s3.\(region).amazonaws.com")
    }

    var scheme: String { isSecure ? "https" : "http" }

    /// Whether a byte may occur in a host name or an IP address, including brackets and colons of IPv6.
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

/// A text that does not identify an S3-compatible store, a bucket or a location in one.
package enum MalformedS3Address: ReportableError, Equatable {
    /// Not the URL of a server.
    case endpoint(String)
    /// A URL without TLS, which was not allowed.
    case plainText(String)
    /// Not a bucket name.
    case bucket(String)
    /// Not a region name.
    case region(String)
    /// Not of the form `s3://BUCKET/PREFIX`.
    case location(String)

    package var description: String {
        switch self {
        case .endpoint(let text): "\(quoted: text) is not an address of an S3-compatible store"
        case .plainText(let text): "every file would be sent unencrypted to \(quoted: text)"
        case .bucket(let text): "\(quoted: text) cannot be the name of a bucket"
        case .region(let text): "\(quoted: text) cannot be the name of a region"
        case .location(let text): "\(quoted: text) does not name a bucket and a folder in it"
        }
    }

    package var id: String {
        switch self {
        case .endpoint: "s3.bad-endpoint"
        case .plainText: "s3.plain-text"
        case .bucket: "s3.bad-bucket"
        case .region: "s3.bad-region"
        case .location: "s3.bad-location"
        }
    }

    package var kind: Problem.Kind { .invalid }

    package var fix: String {
        switch self {
        case .endpoint: "give an address such as https://s3.example.com without a path"
        case .plainText: "give an https address"
        case .bucket: "use 3 to 63 lower-case letters, digits, dots and hyphens"
        case .region: "give a region such as eu-central-1"
        case .location: "give an address such as s3://builds/ota"
        }
    }
}
