import Bytes
package import Essentials
import HTTPCalling

/// An object in a list.
package struct S3Listed: Sendable, Equatable {
    package let key: String
    package let size: Int
    package let etag: ETag?
    package let modified: Date?
}

/// The objects with a common prefix.
package struct S3Listing: Sendable {
    package fileprivate(set) var objects: [S3Listed] = []
    /// The folders, with the prefix and a final slash; only in a list of one level.
    package fileprivate(set) var folders: [String] = []
    /// When the store sent the last page, by its own clock.
    package fileprivate(set) var date: Date?
}

extension S3Client {
    /// Visits all objects with a common key prefix, page by page, in bytewise order of their keys.
    ///
    /// - Parameters:
    ///   - prefix: the prefix.
    ///   - oneLevel: whether keys with a slash after the prefix are grouped into folders.
    ///   - start: the key after which to start.
    ///   - most: the most objects per page, up to 1,000.
    ///   - visit: called with each page; returns false to stop.
    /// - Throws: ``S3Failure``.
    package func pages(
        under prefix: String,
        oneLevel: Bool = false,
        after start: String? = nil,
        most: Int = 1_000,
        _ visit: (S3Listing) throws(S3Failure) -> Bool,
    ) throws(S3Failure) {
        var token: String?
        // Limited, in case a store repeats the same pages forever.
        for _ in 0..<Self.mostPages {
            var call = S3Call(method: "GET", action: "s3:ListBucket")
            call.query = [
                ("list-type", "2"), ("prefix", prefix), ("encoding-type", "url"),
                ("max-keys", String(min(max(most, 1), 1_000))),
            ]
            if oneLevel { call.query.append(("delimiter", "/")) }
            if let token {
                call.query.append(("continuation-token", token))
            } else if let start {
                call.query.append(("start-after", start))
            }
            call.longestAnswer = 8 << 20
            let answer = try caller.outcome(of: call).answer
            guard let root = AnswerElement.document(answer.body), root.name == "ListBucketResult"
            else {
                throw .unreadable(reason: "it is not a list of objects")
            }
            guard try visit(Self.listing(root, at: answer.date)) else { return }
            guard root.text("IsTruncated") == "true" else { return }
            guard let next = root.text("NextContinuationToken"), !next.isEmpty, next != token else {
                throw .unreadable(reason: "a list has no next page")
            }
            token = next
        }
        throw .unreadable(reason: "a list does not end")
    }

    /// All objects with a common key prefix; see ``pages(under:oneLevel:after:most:_:)``.
    package func list(
        under prefix: String,
        oneLevel: Bool = false,
        after start: String? = nil,
    ) throws(S3Failure) -> S3Listing {
        var whole = S3Listing()
        try pages(under: prefix, oneLevel: oneLevel, after: start) { page throws(S3Failure) in
            whole.objects += page.objects
            whole.folders += page.folders
            whole.date = page.date
            return true
        }
        return whole
    }

    /// With a thousand objects per page, ten million objects.
    private static let mostPages = 10_000

    private static func listing(
        _ root: AnswerElement,
        at date: Date?,
    ) throws(S3Failure) -> S3Listing {
        let isEncoded = root.text("EncodingType") == "url"
        func decoded(_ text: String?) throws(S3Failure) -> String {
            guard let text, let plain = isEncoded ? PercentEncoding.decoded(text) : text else {
                throw .unreadable(reason: "a list has an invalid key")
            }
            return plain
        }
        var listing = S3Listing()
        listing.date = date
        for entry in root.all("Contents") {
            guard let size = entry.text("Size").flatMap({ Int($0) }), size >= 0 else {
                throw .unreadable(reason: "a list has an object without a size")
            }
            listing.objects.append(
                S3Listed(
                    key: try decoded(entry.text("Key")),
                    size: size,
                    etag: entry.text("ETag").flatMap(ETag.init),
                    modified: entry.text("LastModified").flatMap(Self.date),
                )
            )
        }
        for entry in root.all("CommonPrefixes") {
            listing.folders.append(try decoded(entry.text("Prefix")))
        }
        return listing
    }

    /// Parses a date in a list, such as `2026-11-24T04:02:00.000Z`; discards fractions of a second.
    static func date(_ text: String) -> Date? {
        let whole = text.prefix(beforeByte: ".")
        return try? Date(
            whole.hasBytes(last: "Z") ? String(whole) : whole + "Z",
            strategy: .iso8601,
        )
    }
}
