import Access
import HTTPServing
import HTTPTypes
import Hummingbird
import MirrorBuilds
import Mirrors
import NIOCore
import SiteServices
import Store

/// Downloads of files that builds of mirrors created and the store kept, such as unsigned archives.
struct AdminBuildFiles: Sendable {
    let gate: AdminGate

    /// Answers `GET /admin/mirrors/{mirror}/builds/{build}/files/{file}`; `file` is the file's number on
    /// the page, from 1.
    @Sendable func file(_ request: Request, _ context: RouteContext) async throws -> Response {
        let site = gate.site
        let admin = try await SignIn(site: site).admin(request)
        // The files belong to no app, so they require rights to all apps.
        try SignIn.require(admin.principal, .admin)
        let name = try context.text("mirror")
        let file = try context.text("file")
        let build = try context.number("build")
        guard let place = Int(file), place > 0 else { throw Refusal.notFound }
        let kept = try await site.work { () throws -> (MirrorRun.Artifact, StoredBlob) in
            let mirror = try AdminMirrors.mirror(name, in: site.store)
            guard let run = try site.store.run(build, of: mirror.name),
                let artifact = run.artifacts.dropFirst(place - 1).first, let blob = artifact.blob
            else { throw Refusal.notFound }
            return (artifact, try site.store.open(blob))
        }
        return try await answer(
            kept.1,
            Self.fields("application/octet-stream", named: kept.0.fileName),
            context,
        )
    }

    /// Answers `GET /admin/mirrors/{mirror}/builds/{build}/log` with the whole log as text.
    @Sendable func log(_ request: Request, _ context: RouteContext) async throws -> Response {
        let site = gate.site
        let admin = try await SignIn(site: site).admin(request)
        try SignIn.require(admin.principal, .admin)
        let name = try context.text("mirror")
        let number = try context.number("build")
        let (blob, reader) = try await site.work { () throws -> (StoredBlob?, LogReader) in
            let mirror = try AdminMirrors.mirror(name, in: site.store)
            guard let run = try site.store.run(number, of: mirror.name) else {
                throw Refusal.notFound
            }
            let reader = LogReader(of: run, in: site.store, try MirrorFolders(of: site.store))
            return (try run.log.map { try site.store.open($0) }, reader)
        }
        let fields = Self.fields("text/plain; charset=utf-8", named: "\(name)-\(number).log")
        if let blob { return try await answer(blob, fields, context) }
        let body = ResponseBody { writer in
            var offset = 0
            while true {
                let piece = try await site.work { [offset] in try reader.read(from: offset) }
                guard !piece.bytes.isEmpty else { break }
                try await writer.write(ByteBuffer(bytes: piece.bytes))
                offset += piece.bytes.count
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: fields, body: body)
    }

    private static func fields(_ type: String, named name: String) -> HTTPFields {
        var fields = ResponseFields.of(type: type, cache: "private, no-store")
        fields[.contentDisposition] = "attachment; filename=\"\(name)\""
        return fields
    }

    private func answer(
        _ blob: StoredBlob,
        _ fields: HTTPFields,
        _ context: RouteContext,
    ) async throws -> Response {
        var fields = fields
        fields[.contentLength] = String(blob.size)
        let download = FileDownload(
            file: try await gate.site.servedFile(of: blob.digest),
            range: 0..<blob.size,
            channel: context.channel,
            buffers: gate.site.executors[context.channel.eventLoop].buffers,
            transfer: context.transfer,
        )
        let body = ResponseBody(contentLength: blob.size) { writer in
            try await download.send(to: &writer)
        }
        return Response(status: .ok, headers: fields, body: body)
    }
}

extension MirrorRun.Artifact {
    /// The file name for the download; a folder is stored as a ZIP archive.
    fileprivate var fileName: String {
        let name = path.split(separator: "/").last ?? "file"
        let plain = name.map { character in
            character.isASCII
                && (character.isLetter || character.isNumber || "._-".contains(character))
                ? character : "-"
        }
        return String(plain) + (isFolder == true ? ".zip" : "")
    }
}
