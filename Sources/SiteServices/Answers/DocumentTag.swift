import Bytes
import Cryptography
import Foundation
import HTTPServing
package import HTTPTypes

/// The version of something that is shown and may be changed: an entity tag over what is stored.
package struct DocumentTag: Equatable, Sendable {
    /// In double quotes.
    package let text: String

    /// - Parameter record: the stored document; its JSON is digested with SHA-256.
    /// - Throws: what encoding it throws.
    package init(of record: some Encodable) throws {
        let digest = SHA256Digest(of: Array(try WireJSON.data(record)))
        text = "\"\(Hex.encode(digest.bytes.prefix(12)))\""
    }

    /// Without the quotes, as the field `version` of a form carries it.
    package var plain: String { String(text.dropFirst().dropLast()) }

    /// Whether a request that names the versions it knows may change this one (RFC 9110 13.1.1).
    package func matches(_ request: HTTPFields) -> Bool {
        let known = request[values: .ifMatch]
        return known.isEmpty || EntityTag.isListedStrongly(text, in: known)
    }
}

extension FormBody {
    /// Whether the form was made of what has this version, or does not say what it was made of.
    package func isOf(_ tag: DocumentTag) -> Bool {
        self["version"].map { $0 == tag.plain } ?? true
    }
}
