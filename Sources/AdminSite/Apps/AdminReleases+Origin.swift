import Cryptography
import HTTPServing
import Hummingbird
import NIOCore
import Provenance
import Publishing
import Releases
import SiteServices
import Store

/// Provenance files, with which `ota releases verify` proves elsewhere where a release came from.
extension AdminReleases {
    /// Answers `GET /admin/apps/{slug}/{release}/provenance.json`.
    @Sendable func statement(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try AdminRelease.Name(context)
        return try await gate.file(request) { visit in
            let release = try AdminRelease(name, for: visit).release
            guard release.provenance != nil else { throw Refusal.notFound }
            return Self.file(
                "provenance.json",
                of: "application/json",
                try visit.store.envelope(of: release).json(),
            )
        }
    }

    /// Answers `GET /admin/apps/{slug}/{release}/provenance.pem`.
    @Sendable func statementKey(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let name = try AdminRelease.Name(context)
        return try await gate.file(request) { visit in
            _ = try AdminRelease(name, for: visit)
            let key = PublicKey(of: try visit.store.provenanceKey())
            return Self.file("server.pem", of: "application/x-pem-file", Array(key.pem.utf8))
        }
    }

    private static func file(_ name: String, of type: String, _ bytes: [UInt8]) -> CachedResponse {
        var fields = ResponseFields.of(type: type, cache: "private, no-store")
        fields[.contentDisposition] = "attachment; filename=\"\(name)\""
        return CachedResponse(
            route: "/admin/apps/{slug}/{release}/provenance",
            status: .ok,
            fields: fields,
            body: ByteBuffer(bytes: bytes),
        )
    }
}
