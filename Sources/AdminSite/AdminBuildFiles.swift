import Access
import HTTPServing
import HTTPTypes
import Hummingbird
import MirrorBuilds
import Mirrors
import SiteServices
import Store

/// What builds of mirrors have made and the store has kept, such as archives that are not signed.
struct AdminBuildFiles: Sendable {
    let gate: AdminGate

    /// Answers `GET /admin/mirrors/{mirror}/builds/{build}/files/{file}`; files are counted from one, as
    /// the page lists them.
    @Sendable func file(_ request: Request, _ context: RouteContext) async throws -> Response {
        let site = gate.site
        let admin = try await SignIn(site: site).admin(request)
        // The files belong to no app, so they need a right to all apps.
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
        return try await answer(kept.0, kept.1, request, context)
    }

    private func answer(
        _ artifact: MirrorRun.Artifact,
        _ blob: StoredBlob,
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        var fields = ResponseFields.of(
            type: "application/octet-stream",
            cache: "private, no-store",
        )
        fields[.contentDisposition] = "attachment; filename=\"\(artifact.fileName)\""
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
    /// The name to save it under; a folder was kept as a ZIP archive.
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
