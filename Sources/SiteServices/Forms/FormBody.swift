package import Cryptography
import HTTPServing
import HTTPTypes
package import Hummingbird
import NIOCore

/// The fields of a form sent by a browser.
package struct FormBody: Sendable {
    /// The most bytes of a form; more are refused with 413.
    package static let greatestSize = 32 << 10
    /// The most bytes of a form from an unauthenticated client: a token, a passphrase or a code, and
    /// little more.
    package static let greatestSizeOfStrangers = 8 << 10

    private let fields: FormFields
    /// Keeps the form's bytes in the budget while its values are in use.
    private let body: GatheredBody

    /// Reads the form of a user who is signed in.
    ///
    /// - Throws: ``Refusal/malformed(_:)`` if it is not a form or has a field twice,
    ///   ``Refusal/tooLarge(limit:)`` beyond `limit`, and ``Refusal/overloaded``.
    package init(_ request: Request, in site: Site, atMost limit: Int = greatestSize) async throws {
        try await self.init(request, site.bodies, .known, limit)
    }

    /// Reads the form of an unauthenticated client at an address.
    ///
    /// - Throws: as ``init(_:in:atMost:)``.
    package init(
        ofStranger request: Request,
        at address: String,
        in site: Site,
        atMost limit: Int = greatestSizeOfStrangers,
    ) async throws {
        let sender = BodyBudget.Sender.stranger(at: address)
        try await self.init(request, site.bodies, sender, limit)
    }

    private init(
        _ request: Request,
        _ budget: BodyBudget,
        _ sender: BodyBudget.Sender,
        _ limit: Int,
    ) async throws {
        let type = request.headers[.contentType] ?? ""
        let boundary = MultipartBody.boundary(in: type)
        guard boundary != nil || type.lowercased().hasPrefix("application/x-www-form-urlencoded")
        else { throw Refusal.malformed("a form was expected") }
        body = try await GatheredBody.gather(request, atMost: limit, from: budget, of: sender)
        do throws(MalformedForm) {
            if let boundary {
                fields = try FormFields(multipart: body.bytes, boundary: boundary)
            } else {
                fields = try FormFields(urlEncoded: body.bytes)
            }
        } catch {
            throw Refusal.malformed(error.what)
        }
    }

    package subscript(name: String) -> String? { fields[name] }

    /// Returns the rest of each field name that begins with `prefix`, sorted; for a list of checkboxes,
    /// say.
    package func names(after prefix: String) -> [String] {
        fields.all.keys.filter { $0.hasPrefix(prefix) }.sorted()
            .map { String($0.dropFirst(prefix.count)) }
    }

    /// Returns the files that an input sent, in order.
    package func files(_ name: String) -> [[UInt8]] { fields.files(name) }

    /// Returns the browser's names of these files, in the same order.
    package func fileNames(_ name: String) -> [String] { fields.fileNames(name) }

    /// The SHA-256 digest of all fields and files; equal for forms of the same content, however they were
    /// encoded.
    package var digest: SHA256Digest {
        var bytes: [UInt8] = []
        func add(_ value: some Collection<UInt8>) {
            bytes += "\(value.count):".utf8
            bytes += value
        }
        for (name, value) in fields.all.sorted(by: { $0.key < $1.key }) {
            add(name.utf8)
            add(value.utf8)
            for file in fields.files(name) { add(DigestAlgorithm.sha256.digest(of: file)) }
            for name in fields.fileNames(name) { add(name.utf8) }
        }
        return SHA256Digest(of: bytes)
    }
}
