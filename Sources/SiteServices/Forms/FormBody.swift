import HTTPServing
import HTTPTypes
package import Hummingbird
import NIOCore

/// The fields of a form that a browser sent.
package struct FormBody: Sendable {
    /// Bytes of a whole form; more is 413.
    package static let greatestSize = 32 << 10
    /// The same of a form that anyone can send: a token, a passphrase or a code, and little more.
    package static let greatestSizeOfStrangers = 8 << 10

    private let fields: FormFields
    /// Keeps the form in the budget while its values are in use.
    private let body: GatheredBody

    /// Reads the form of someone who is signed in.
    ///
    /// - Throws: ``Refusal/malformed(_:)`` when it is no form, or has a field twice,
    ///   ``Refusal/tooLarge(limit:)`` beyond `limit`, and ``Refusal/overloaded``.
    package init(_ request: Request, in site: Site, atMost limit: Int = greatestSize) async throws {
        try await self.init(request, site.bodies, .known, limit)
    }

    /// Reads a form that anyone can send.
    ///
    /// - Throws: as ``init(_:in:atMost:)``.
    package init(ofStranger request: Request, in site: Site) async throws {
        try await self.init(request, site.bodies, .stranger, Self.greatestSizeOfStrangers)
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

    /// The files that an input sent, in their order.
    package func files(_ name: String) -> [[UInt8]] { fields.files(name) }
}
