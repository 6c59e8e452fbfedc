import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The fields of a form that a browser sent.
struct FormBody: Sendable {
    /// Bytes of a whole form; more is 413.
    static let greatestSize = 32 << 10
    private static let greatestCount = 64

    private let fields: [String: String]

    /// Reads a request's body.
    ///
    /// - Throws: ``Refusal/malformed(_:)`` when it is no form, or has a field twice, and
    ///   ``Refusal/tooLarge(limit:)`` beyond `limit`.
    init(_ request: Request, atMost limit: Int = greatestSize) async throws {
        let type = request.headers[.contentType] ?? ""
        if let boundary = MultipartBody.boundary(in: type) {
            let bytes = try await BodyBytes.bytes(of: request, atMost: limit)
            do throws(MalformedForm) {
                let body = try MultipartBody(bytes, boundary: boundary, atMost: Self.greatestCount)
                try self.init(body)
            } catch {
                throw Refusal.malformed(error.what)
            }
            return
        }
        guard type.lowercased().hasPrefix("application/x-www-form-urlencoded") else {
            throw Refusal.malformed("a form was expected")
        }
        try self.init(try await BodyBytes.text(of: request, atMost: limit))
    }

    private init(_ body: MultipartBody) throws(MalformedForm) {
        var fields: [String: String] = [:]
        for (name, value) in body.fields {
            guard fields.updateValue(value, forKey: name) == nil else {
                throw MalformedForm(what: "a field is there twice")
            }
        }
        self.fields = fields
    }

    init(_ text: String) throws(Refusal) {
        var fields: [String: String] = [:]
        let pairs = text.split(separator: "&")
        guard pairs.count <= Self.greatestCount else { throw .malformed("too many fields") }
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0]),
                let value = Self.decoded(parts.count > 1 ? parts[1] : "")
            else { throw .malformed("a field is not percent-encoded UTF-8") }
            guard fields.updateValue(value, forKey: name) == nil else {
                throw .malformed("a field is there twice")
            }
        }
        self.fields = fields
    }

    subscript(name: String) -> String? { fields[name] }

    private static func decoded(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }
}

/// A whole body in memory, of bounded size.
enum BodyBytes {
    /// - Throws: ``Refusal/tooLarge(limit:)`` beyond `limit`.
    static func bytes(of request: Request, atMost limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await buffer in request.body {
            guard bytes.count + buffer.readableBytes <= limit else {
                throw Refusal.tooLarge(limit: limit)
            }
            bytes.append(contentsOf: buffer.readableBytesView)
        }
        return bytes
    }

    static func text(of request: Request, atMost limit: Int) async throws -> String {
        let bytes = try await bytes(of: request, atMost: limit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Refusal.malformed("the body is not UTF-8")
        }
        return text
    }
}
