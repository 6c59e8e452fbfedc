import Cryptography
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
package import Releases
import Store

/// What the phone's installer fetches: manifest, icons and the IPA of one release.
struct InstallRoutes: Sendable {
    let site: Site

    /// Answers `GET /install/{capability}/{file}`.
    @Sendable func file(_ request: Request, _ context: RouteContext) async throws -> Response {
        let file = try context.text("file")
        let component = try context.text("capability")
        guard let kind = Kind(file) else { throw Refusal.notFound }
        let release = try release(opening: component)
        let answer: StoredAnswer
        switch kind {
        case .archive:
            guard file == release.archiveName + ".ipa" else { throw Refusal.notFound }
            return try archive(of: release, to: request, context)
        case .manifest: answer = manifest(of: release)
        case .smallIcon: answer = try await icon(release.icons.small)
        case .largeIcon: answer = try await icon(release.icons.large)
        }
        let target = request.head.path ?? ""
        if target == "/install/\(component)/\(file)" {
            site.answers.keep(answer, for: target, lasting: Site.freshness)
        }
        return answer.response(to: request)
    }

    private enum Kind {
        case manifest, smallIcon, largeIcon, archive

        init?(_ file: String) {
            switch file {
            case "manifest.plist": self = .manifest
            case "icon-57.png": self = .smallIcon
            case "icon-512.png": self = .largeIcon
            case _ where file.hasSuffix(".ipa"): self = .archive
            default: return nil
            }
        }
    }

    /// The release that a capability opens, as it stands in the store now.
    private func release(opening component: String) throws -> Release {
        let capability = try site.capabilities.verified(component, at: site.now)
        guard let release = try site.store.release(capability.release, of: capability.app) else {
            throw Refusal.withdrawn(reason: "")
        }
        if let withdrawal = release.withdrawal {
            throw Refusal.withdrawn(reason: withdrawal.reason)
        }
        guard capability.isFor(release) else { throw Refusal.replaced }
        return release
    }

    /// Its links carry a capability made now, so that a manifest fetched in the last minute of its
    /// own still leads to the IPA.
    private func manifest(of release: Release) -> StoredAnswer {
        let folder = site.links.install(site.capabilities.component(for: release, at: site.now))
        let urls = folder.manifestURLs(archiveName: release.archiveName)
        return StoredAnswer(
            route: "/install/{capability}/manifest.plist",
            status: .ok,
            fields: ResponseFields.of(type: "text/xml; charset=utf-8", cache: "private, no-store"),
            body: ByteBuffer(bytes: InstallManifest(of: release, at: urls).xml()),
        )
    }

    private func icon(_ digest: SHA256Digest) async throws -> StoredAnswer {
        let store = site.store
        let bytes = try await site.work { try store.bytes(of: digest, atMost: 4 << 20) }
        return IconAnswer.make(bytes, digest, route: "/install/{capability}/icon.png")
    }

    private func archive(
        of release: Release,
        to request: Request,
        _ context: RouteContext,
    ) throws -> Response {
        let etag = "\"\(release.sha256)\""
        var fields = ResponseFields.of(type: "application/octet-stream", cache: "private")
        fields[.eTag] = etag
        fields[.acceptRanges] = "bytes"
        fields[.contentDisposition] = "attachment; filename=\"\(release.archiveName).ipa\""
        let conditions = ArchiveConditions(
            request.headers,
            method: request.method,
            etag: etag,
            size: release.size,
        )
        switch conditions {
        case .notModified:
            return Response(status: .notModified, headers: fields)
        case .changed:
            return Response(status: .preconditionFailed, headers: fields)
        case .unsatisfiable:
            fields[.contentRange] = "bytes */\(release.size)"
            return Response(status: .rangeNotSatisfiable, headers: fields)
        case .whole:
            return try send(0..<release.size, of: release, .ok, fields, request, context)
        case .part(let range):
            fields[.contentRange] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(release.size)"
            return try send(range, of: release, .partialContent, fields, request, context)
        }
    }

    private func send(
        _ range: Range<Int>,
        of release: Release,
        _ status: HTTPResponse.Status,
        _ fields: HTTPFields,
        _ request: Request,
        _ context: RouteContext,
    ) throws -> Response {
        let blob = try site.store.open(release.sha256)
        guard blob.size == release.size, let path = blob.path else {
            throw StoreFailure.damagedBlob(release.sha256, path: blob.path ?? "")
        }
        var fields = fields
        fields[.contentLength] = String(range.count)
        guard request.method == .get else { return Response(status: status, headers: fields) }
        let download = ArchiveDownload(
            file: try ArchiveFile(path: path),
            range: range,
            channel: context.channel,
            buffers: site.executors[context.channel.eventLoop].buffers,
            transfer: context.transfer,
        )
        let metrics = site.metrics
        let body = ResponseBody(contentLength: range.count) { writer in
            metrics.downloadBegan()
            do {
                try await download.send(to: &writer)
                metrics.downloadEnded(complete: true)
            } catch {
                metrics.downloadEnded(complete: false)
                throw error
            }
        }
        return Response(status: status, headers: fields, body: body)
    }
}

extension Release {
    /// The IPA's name in URLs and on disks: letters, digits and hyphens.
    package var archiveName: String {
        Slug(title: "\(name)-\(version)-\(build)", identifier: bundleIdentifier).rawValue
    }
}

/// A PNG that never changes under its digest.
enum IconAnswer {
    static func make(_ bytes: [UInt8], _ digest: SHA256Digest, route: String) -> StoredAnswer {
        var fields = ResponseFields.of(type: "image/png", cache: "private, max-age=3600")
        fields[.eTag] = "\"\(digest.description.prefix(32))\""
        return StoredAnswer(
            route: route,
            status: .ok,
            fields: fields,
            body: ByteBuffer(bytes: bytes),
        )
    }
}
