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
import Store

extension APIRoutes {
    private static let allBuilds = "/mirrors/{mirror}/builds"
    private static let build = allBuilds + "/{build}"

    static let builds: [APIRoute] = [
        APIRoute(.get, "/queue", .everywhere(.admin)) { call in
            try await call.json { try $0.waitingBuilds() }
        },
        APIRoute(.get, allBuilds, .everywhere(.admin), query: ["after", "limit"]) { call in
            let name = try call.parameter("mirror")
            let limit = try call.number("limit", in: 1...200, else: 50)
            let after = try call.number("after", in: 0...mostBuilds, else: 0)
            return try await call.json {
                try $0.builds(of: name, after: after == 0 ? nil : after, limit: limit)
            }
        },
        APIRoute(.post, allBuilds, .everywhere(.admin)) { call in
            let name = try call.parameter("mirror")
            let request = try call.request(BuildRequest.self)
            let run = try await call.administration.startBuild(of: name, request)
            return try APIAnswer.json(run, status: .created)
                .at(call.site.links.api("/mirrors/\(run.mirror)/builds/\(run.number)"))
        },
        APIRoute(.get, build, .everywhere(.admin)) { call in
            let (name, number) = try names(call)
            return try await call.json { try $0.build(number, of: name) }
        },
        APIRoute(.post, build + "/cancel", .everywhere(.admin)) { call in
            _ = try call.request(EmptyRequest.self)
            let (name, number) = try names(call)
            return try await call.json { try $0.cancelBuild(number, of: name) }
        },
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
                throw Problem.badParameter("path", fix: "give the path of an artifact")
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

    private static let mostBuilds = 1 << 40
    private static let mostBytes = 1 << 40

    private static func names(_ call: APICall) throws -> (mirror: String, build: Int) {
        let name = try call.parameter("mirror")
        guard let number = Int(try call.parameter("build")), number > 0 else {
            throw Refusal.notFound
        }
        return (name, number)
    }
}

extension BuildRequest: APIRequest {
    static var keys: Set<String> { ["tag", "branch", "commit", "rebuild"] }
}
