import Bytes
package import Essentials
import HTTPCalling

/// The metadata of an object.
package struct S3ObjectFacts: Sendable, Equatable {
    package let etag: ETag
    /// The size in bytes of the whole object, even if only a range was requested.
    package let size: Int
    package let modified: Date?
    /// When the store sent the response, by its own clock.
    package let date: Date?
    /// By lower-case names without `x-amz-meta-`.
    package let metadata: [String: String]
    /// The identifiers of the latest writes, latest first; see ``S3Write``.
    package var writes: [String] {
        metadata[S3Write.name].map { $0.split(atByte: ",").map(String.init) } ?? []
    }

    init(_ answer: CallAnswer) throws(S3Failure) {
        guard let etag = answer.headers["etag"].flatMap(ETag.init) else {
            throw .unreadable(reason: "it has no ETag")
        }
        self.etag = etag
        let whole = answer.headers["content-range"]?.split(atByte: "/").last.flatMap { Int($0) }
        guard let size = whole ?? answer.headers["content-length"].flatMap({ Int($0) }), size >= 0
        else { throw .unreadable(reason: "it does not say how long it is") }
        self.size = size
        modified = answer.headers["last-modified"].flatMap(WebDate.date)
        date = answer.date
        var metadata: [String: String] = [:]
        for (name, value) in answer.headers where name.hasBytes(first: Self.prefix) {
            metadata[String(name.dropFirst(Self.prefix.count))] = value
        }
        self.metadata = metadata
    }

    static let prefix = "x-amz-meta-"
}

/// An opaque identifier of an object's version.
package struct ETag: Hashable, Sendable, CustomStringConvertible {
    /// The text with its quotation marks.
    package let text: String

    /// - Returns: nil for a text that cannot be sent in a header.
    package init?(_ text: String) {
        guard (1...200).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
        else { return nil }
        self.text = text.utf8.first == UInt8(ascii: "\"") ? text : "\"\(text)\""
    }

    package var description: String { text }
}

/// An object or a range of it.
package struct S3Object: Sendable {
    package let facts: S3ObjectFacts
    package let bytes: [UInt8]
}

/// A condition on an object for executing a request.
package enum S3Condition: Sendable, Equatable {
    case none
    /// There is no object with the key.
    case absent
    case unchanged(ETag)

    var headers: [String: String] {
        switch self {
        case .none: [:]
        case .absent: ["if-none-match": "*"]
        case .unchanged(let etag): ["if-match": etag.text]
        }
    }
}

/// A write of a small object, including all of its attempts.
///
/// The object's metadata has the identifiers of the writes that led to it, so that a write whose response
/// was lost can be identified, even after others have replaced the object.
package struct S3Write: Sendable {
    static let name = "ota-writes"
    /// The most identifiers, so that they fit into the 2 KB allowed for metadata.
    private static let most = 48

    package let key: String
    package let bytes: [UInt8]
    package let condition: S3Condition
    /// Unique to this write: 16 letters and digits.
    package let identifier: String
    /// The identifiers of the object that it replaces, latest first.
    package let earlier: [String]
    /// By lower-case names; ASCII only.
    package let metadata: [String: String]

    package init(
        _ bytes: [UInt8],
        to key: String,
        if condition: S3Condition,
        identifier: String,
        after earlier: [String] = [],
        metadata: [String: String] = [:],
    ) {
        self.key = key
        self.bytes = bytes
        self.condition = condition
        self.identifier = identifier
        self.earlier = earlier
        self.metadata = metadata
    }

    /// The identifiers in the object's metadata.
    package var kept: [String] { Array(([identifier] + earlier).prefix(Self.most)) }
}

/// The result of a write.
package enum S3WriteOutcome: Sendable, Equatable {
    case stored(ETag)
    /// It succeeded, and another write has replaced it since.
    case replaced
    /// The condition was not true; nothing was written.
    case refused
}
