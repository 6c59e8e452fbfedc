import Bytes
import Cryptography
import Foundation
import HTTPServing
package import HTTPTypes

/// The version of a stored document: an entity tag computed from its JSON.
package struct DocumentTag: Equatable, Sendable {
    /// The entity tag, in double quotes.
    package let text: String

    /// - Parameter record: the stored document; the tag is the start of its JSON's SHA-256 digest.
    /// - Throws: the error of its encoding.
    package init(of record: some Encodable) throws {
        let digest = SHA256Digest(of: Array(try WireJSON.data(record)))
        text = "\"\(Hex.encode(digest.bytes.prefix(12)))\""
    }

    /// The tag without the quotes, as the field `version` of a form contains it.
    package var plain: String { String(text.dropFirst().dropLast()) }

    /// Returns whether a request may change this version: it has no `If-Match`, or one that lists this
    /// tag (RFC 9110 13.1.1).
    package func matches(_ request: HTTPFields) -> Bool {
        let known = request[values: .ifMatch]
        return known.isEmpty || EntityTag.isListedStrongly(text, in: known)
    }
}

extension FormBody {
    /// Returns whether the form was rendered from this version, or names no version.
    package func isOf(_ tag: DocumentTag) -> Bool {
        self["version"].map { $0 == tag.plain } ?? true
    }
}
