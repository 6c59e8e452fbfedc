import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Releases
import SiteServices
import Store

/// The IPA, whole or in parts, sent by this server or by the store's.
extension InstallRoutes {
    /// Answers a request for the IPA of a release, by its conditions and ranges.
    func archive(
        of release: Release,
        for phone: InstallingPhone,
        to request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let etag = "\"\(release.sha256)\""
        var fields = ResponseFields.of(type: "application/octet-stream", cache: "private")
        fields[.eTag] = etag
        fields[.acceptRanges] = "bytes"
        fields[.contentDisposition] = ContentDisposition.attachment(
            named: "\(release.name)-\(release.version)-\(release.build)",
            extension: "ipa",
        )
        let conditions = FileConditions(
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
        case .whole where isLedElsewhere(request):
            fields[.location] = try signedAddress(of: release)
            return Response(status: .temporaryRedirect, headers: fields)
        case .part where isLedElsewhere(request):
            fields[.location] = try signedAddress(of: release)
            return Response(status: .temporaryRedirect, headers: fields)
        case .whole:
            let part = Part(range: 0..<release.size, release: release, phone: phone)
            return try await send(part, .ok, fields, request, context)
        case .part(let range):
            fields[.contentRange] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(release.size)"
            let part = Part(range: range, release: release, phone: phone)
            return try await send(part, .partialContent, fields, request, context)
        }
    }

    private func isLedElsewhere(_ request: Request) -> Bool {
        installs.downloads == .redirect && request.method == .get
    }

    /// The part of an IPA that is sent, and the phone that receives it.
    private struct Part {
        let range: Range<Int>
        let release: Release
        let phone: InstallingPhone
    }

    private func send(
        _ part: Part,
        _ status: HTTPResponse.Status,
        _ fields: HTTPFields,
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let (range, release) = (part.range, part.release)
        if !site.store.isElsewhere {
            let blob = try site.store.open(release.sha256)
            guard blob.size == release.size else {
                throw StoreFailure.damagedBlob(release.sha256, path: blob.path ?? "")
            }
        }
        var fields = fields
        fields[.contentLength] = String(range.count)
        guard request.method == .get else { return Response(status: status, headers: fields) }
        let download = FileDownload(
            file: try await site.servedFile(of: release.sha256),
            range: range,
            channel: context.channel,
            buffers: site.executors[context.channel.eventLoop].buffers,
            transfer: context.transfer,
        )
        let metrics = installs.metrics
        let tracker = installs.tracker
        let logger = site.logger
        let body = ResponseBody(contentLength: range.count) { writer in
            metrics.downloadBegan()
            let tracked = tracker.began(
                part.phone,
                range,
                of: release.size,
                counting: context.transfer,
            )
            defer { if let tracked { tracker.ended(tracked) } }
            do {
                try await download.send(to: &writer)
                metrics.downloadEnded(complete: true)
            } catch {
                metrics.downloadEnded(complete: false)
                if !BrokenOff.isCause(error) {
                    logger.error(
                        "a download broke off, because the IPA cannot be read",
                        metadata: [
                            "app": "\(release.bundleIdentifier)",
                            "release": "\(release.identifier)",
                            "reason": "\(error)",
                        ],
                    )
                }
                throw error
            }
        }
        return Response(status: status, headers: fields, body: body)
    }
}
