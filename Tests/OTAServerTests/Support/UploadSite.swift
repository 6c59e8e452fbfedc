import Access
import Cryptography
import Foundation
import NIOSSL
import OTAServer
import Releases
import Sample
import Store
import Uploads

/// A server for uploads, and a build that it accepts.
struct UploadSite: Sendable {
    let site: TestSite
    let authority: SigningAuthority
    let build: [UInt8]
    /// The secret of a token that may publish everything.
    let token: String
    let tls: NIOSSLContext

    var store: OTAStore { site.store }
    var digest: SHA256Digest { SHA256Digest(of: build) }

    static func run(
        noise: Int = 0,
        limits: UploadLimits? = nil,
        configure: (inout ServerConfiguration, URL) throws -> Void = { _, _ in },
        _ body: @Sendable @escaping (UploadSite) async throws -> Void,
    ) async throws {
        let authority = try SigningAuthority.cached()
        let build = try Self.build(by: authority, noise: noise)
        try await TestSite.run(configure: { configuration, folder in
            configuration.uploads.reserve = 0
            if let limits { configuration.uploads = limits }
            try configure(&configuration, folder)
        }) { site in
            try site.store.changeSettings { $0.anchors = [authority.anchorPEM] }
            try await body(
                UploadSite(
                    site: site,
                    authority: authority,
                    build: build,
                    token: try Self.token(in: site.store),
                    tls: try await WireClient.context(trusting: site),
                )
            )
        }
    }

    static func build(
        by authority: SigningAuthority,
        noise: Int = 0,
        version: String = "1.0",
        build: String = "1",
    ) throws -> [UInt8] {
        var builder = SampleApps.browsey(by: authority, at: Date())
            .editing { $0.app.hasIcon = false }
            .version(version, build: build)
        if noise > 0 { builder = builder.resource(.noise("Media.mov", count: noise)) }
        return try builder.bytes()
    }

    static func token(
        in store: OTAStore,
        _ scope: Scope = Scope(.publish),
        expires: Date? = nil,
    ) throws -> String {
        var text = ""
        try store.changeTokens { register in
            text = try register.create(
                name: "t\(register.tokens.count)",
                scopes: [scope],
                expires: expires,
                at: Date(),
                random: randomBytes,
            ).secret.text
        }
        return text
    }

    // MARK: Requests

    /// Sends a request on a connection of its own.
    func send(
        _ method: String,
        _ path: String,
        _ fields: [String: String] = [:],
        body: [UInt8] = [],
        token: String? = nil,
    ) async throws -> WireResponse {
        try await WireClient.connect(site.port, tls: tls) { client in
            var all = ["Authorization": "Bearer \(token ?? self.token)"]
            all["Content-Length"] = "\(body.count)"
            all.merge(fields) { $1 }
            try await client.send(Self.head(method, path, all))
            if !body.isEmpty { try? await client.send(body) }
            while true {
                let response = try await client.response(hasBody: method != "HEAD")
                if response.status >= 200 { return response }
            }
        }
    }

    static func head(_ method: String, _ path: String, _ fields: [String: String]) -> String {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            head += "\(name): \(value)\r\n"
        }
        return head + "\r\n"
    }

    /// Offers the site's build; `change` can change the offer.
    func offer(
        token: String? = nil,
        _ change: (inout UploadOffer) -> Void = { _ in },
    ) async throws -> WireResponse {
        var offer = UploadOffer(size: build.count, sha256: digest)
        change(&offer)
        return try await send(
            "POST",
            "/api/v1/uploads",
            ["Content-Type": "application/json"],
            body: Array(try JSONEncoder().encode(offer)),
            token: token,
        )
    }

    /// Begins an upload and returns its path.
    func begin(
        token: String? = nil,
        _ change: (inout UploadOffer) -> Void = { _ in },
    ) async throws -> String {
        let response = try await offer(token: token, change)
        guard response.status == 201, let path = response.fields["location"] else {
            throw NoUpload(status: response.status, text: response.text)
        }
        return path
    }

    func append(
        _ path: String,
        _ bytes: [UInt8],
        at offset: Int,
        isLast: Bool,
        token: String? = nil,
    ) async throws -> WireResponse {
        try await send(
            "PATCH",
            path,
            Self.piece(at: offset, isLast: isLast),
            body: bytes,
            token: token,
        )
    }

    static func piece(at offset: Int, isLast: Bool) -> [String: String] {
        [
            "Content-Type": UploadField.mediaType, UploadField.offset: "\(offset)",
            UploadField.complete: UploadField.text(isLast),
        ]
    }

    func offset(_ path: String) async throws -> Int? {
        try await send("HEAD", path).fields["upload-offset"].flatMap(Int.init)
    }

    struct NoUpload: Error {
        let status: Int
        let text: String
    }
}

extension WireResponse {
    func json(_ keys: String...) -> Any? {
        var value = try? JSONSerialization.jsonObject(with: Data(body))
        for key in keys { value = (value as? [String: Any])?[key] }
        return value
    }

    /// The stable identifier of an error.
    var errorID: String? { json("id") as? String }
}
