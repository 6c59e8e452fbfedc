import Bytes

/// A bucket of an S3-compatible store, and how requests address it.
package struct S3Bucket: Sendable, Equatable {
    /// Where a request contains the bucket's name.
    package enum Style: String, Sendable {
        /// `https://s3.example.com/bucket/key`: supported by most self-hosted stores.
        case path
        /// `https://bucket.s3.example.com/key`: required by Amazon for new buckets.
        case virtualHost = "virtual-host"
    }

    package let name: String
    package let region: String
    package let endpoint: S3Endpoint
    package let style: Style

    /// - Parameters:
    ///   - name: 3 to 63 lower-case letters, digits, dots and hyphens.
    ///   - region: the region for signatures; most self-hosted stores accept any.
    ///   - endpoint: nil for Amazon's endpoint of the region.
    ///   - style: nil for the style that suits endpoint and name; a wildcard certificate does not cover a
    ///     name with dots.
    /// - Throws: ``MalformedS3Address``.
    package init(
        _ name: String,
        region: String = "us-east-1",
        endpoint: S3Endpoint? = nil,
        style: Style? = nil,
    ) throws(MalformedS3Address) {
        guard (3...63).contains(name.utf8.count), name.utf8.allSatisfy(Self.isPlain),
            name.utf8.first.map(Self.isAlphanumeric) == true,
            name.utf8.last.map(Self.isAlphanumeric) == true
        else { throw .bucket(name) }
        guard (1...40).contains(region.utf8.count), region.utf8.allSatisfy(Self.isPlain) else {
            throw .region(region)
        }
        self.name = name
        self.region = region
        self.endpoint = endpoint ?? .amazon(region)
        self.style = style ?? (endpoint == nil && !name.contains(".") ? .virtualHost : .path)
    }

    /// The host to connect to.
    package var host: String {
        style == .virtualHost ? "\(name).\(endpoint.host)" : endpoint.host
    }

    /// The value of the `Host` header.
    package var authority: String { endpoint.port.map { "\(host):\($0)" } ?? host }

    /// Returns the percent-encoded path of a request, as it is signed.
    ///
    /// - Parameter key: the key of an object; nil for the bucket itself.
    /// - Returns: the path.
    func path(of key: String?) -> String {
        let key = key.map { PercentEncoding.path($0) }
        switch style {
        case .path: return "/\(name)" + (key.map { "/" + $0 } ?? "")
        case .virtualHost: return "/" + (key ?? "")
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}

/// A bucket and a folder in it, in the form of `--store`: `s3://builds/ota`.
package struct S3Location: Sendable, Equatable, CustomStringConvertible {
    package let bucket: String
    /// Path components separated by slashes; empty for the whole bucket.
    package let prefix: String

    /// - Throws: ``MalformedS3Address/location(_:)``.
    package init(_ text: String) throws(MalformedS3Address) {
        guard text.hasBytes(first: "s3://") else { throw .location(text) }
        let parts = text.dropFirst("s3://".count).split(
            atByte: "/",
            omittingEmptySubsequences: false,
        )
        let folders =
            parts.dropFirst().last?.isEmpty == true
            ? parts.dropFirst().dropLast() : parts.dropFirst()
        guard let bucket = parts.first, !bucket.isEmpty, text.utf8.count <= 500,
            folders.allSatisfy(Self.isFolder)
        else { throw .location(text) }
        self.bucket = String(bucket)
        prefix = folders.joined(separator: "/")
    }

    package var description: String { "s3://\(bucket)" + (prefix.isEmpty ? "" : "/" + prefix) }

    /// Whether the text is an allowed folder name: unreserved characters only, without a leading dot.
    private static func isFolder(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.first != UInt8(ascii: ".")
            && text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) }
    }
}
