import APIDocuments
import Access
import Administration
import Bytes
import HTTPTypes
import Hummingbird
import HummingbirdCore
import MirrorBuilds
import Mirrors
import NIOCore
import Problems
import SiteServices
import Store

extension APIRoutes {
    private static let build = "/mirrors/{mirror}/builds/{build}"

    /// The output of a build: its log, optionally while it grows, and its files.
    static let buildFiles: [APIRoute] = [
        APIRoute(.get, build + "/log", .everywhere(.admin), query: ["offset", "follow"]) { call in
            let (name, number) = try names(call)
            let offset = try call.number("offset", in: 0...mostBytes, else: 0)
            let log = BuildLogAnswer(call: call, mirror: name, build: number)
            return try await call.flag("follow")
                ? log.following(from: offset) : log.piece(from: offset)
        },
        APIRoute(.get, build + "/artifact", .everywhere(.admin), query: ["path"]) { call in
            let (name, number) = try names(call)
            guard let path = call.query["path"] else {
                throw BadParameter("path", fix: "give the path of an artifact")
            }
            let store = call.site.store
            let stored = try await call.site.work { [administration = call.administration] in
                try store.open(administration.artifact(path, of: number, name))
            }
            let site = call.site
            return .stream(type: "application/octet-stream", length: stored.size) { writer in
                var offset = 0
                while offset < stored.size {
                    let range = offset..<min(offset + (1 << 18), stored.size)
                    let piece = try await site.work { [offset] in
                        ByteBuffer(
                            bytes: try stored.source.bytes(at: offset, count: range.count)
                        )
                    }
                    try await writer.write(piece)
                    offset = range.upperBound
                }
            }
        },
    ]

    private static let mostBytes = 1 << 40

    private static func names(_ call: APICall) throws -> (mirror: String, build: Int) {
        (try call.parameter("mirror"), try call.number(ofPath: "build"))
    }
}
