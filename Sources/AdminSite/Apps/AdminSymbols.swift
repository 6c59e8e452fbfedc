import Access
import Bytes
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Pages
import Problems
import Publishing
import Releases
import SiteServices
import Store
import Symbolication
import Symbols

/// The dSYMs of a release, and crash reports symbolicated with them.
struct AdminSymbols: Sendable {
    /// Bytes of the longest report and of the form's other fields.
    private static let reportForm = SymbolLimits.formReportBytes + 8192

    let gate: AdminGate

    /// The routes with absolute paths, because a report may be larger than other forms.
    var table: RouteTable {
        [
            Route("/admin/apps/{slug}/{release}/symbols/{uuid}", [.get: download]),
            Route(
                "/admin/apps/{slug}/{release}/crash",
                [.post: read],
                // A larger body is refused by the form's own limit, on an admin page and without being
                // read.
                body: .counted(isTaken: { _ in false }),
            ),
        ]
    }

    /// Answers `GET /admin/apps/{slug}/{release}/symbols/{uuid}`.
    @Sendable func download(_ request: Request, _ context: RouteContext) async throws -> Response {
        let site = gate.site
        let admin = try await SignIn(site: site).admin(request)
        let name = try AdminRelease.Name(context)
        guard let uuid = ImageUUID(try context.text("uuid")) else { throw Refusal.notFound }
        let (file, blob) = try await site.work { () throws -> (ReleaseSymbols.File, StoredBlob) in
            guard let app = try site.store.app(slug: name.slug),
                admin.principal.may(.read, on: app.bundleIdentifier),
                let release = try site.store.release(name.release, of: app.bundleIdentifier),
                let file = release.symbols?.file(of: uuid)
            else { throw Refusal.notFound }
            return (file, try site.store.open(file.blob))
        }
        var fields = ResponseFields.of(type: "application/zip", cache: "private, no-store")
        fields[.contentDisposition] = "attachment; filename=\"\(file.downloadName)\""
        fields[.contentLength] = String(blob.size)
        let download = FileDownload(
            file: try await site.servedFile(of: blob.digest),
            range: 0..<blob.size,
            channel: context.channel,
            buffers: site.executors[context.channel.eventLoop].buffers,
            transfer: context.transfer,
        )
        let body = ResponseBody(contentLength: blob.size) { writer in
            try await download.send(to: &writer)
        }
        return Response(status: .ok, headers: fields, body: body)
    }

    /// Answers `POST /admin/apps/{slug}/{release}/crash` with the symbolicated report.
    @Sendable func read(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try AdminRelease.Name(context)
        return try await gate.action(
            request,
            context,
            in: .apps,
            require: .read,
            atMost: Self.reportForm,
            preparing: { visit, form in
                // Checked first, so that a report reveals nothing that the user may not see.
                let app = try await visit.site.work {
                    try AdminRelease(name, for: visit).app.bundleIdentifier
                }
                let channel = context.channel
                do {
                    return try await channel.whileConnected {
                        try await Self.names(of: form, for: visit, of: app)
                    }
                } catch is CancellationError {
                    throw Refusal.cut
                }
            },
        ) { visit, _, result in
            let release = try AdminRelease(name, for: visit)
            return .again(
                CrashPage(
                    title: release.title,
                    backURL: release.links.page,
                    content: CrashPage.Content(result),
                    admin: try visit.chrome(),
                ),
                .ok,
            )
        }
    }

    private static func names(
        of form: FormBody,
        for visit: AdminRequest,
        of app: BundleIdentifier,
    ) async throws -> SymbolicatedReport {
        let bytes = form.files("crash").first ?? Array((form["crash"] ?? "").utf8)
        let principal = visit.principal
        let store = visit.store
        return try await CrashTurn.taking {
            let (report, symbolizer, index) = try await visit.site.work {
                (
                    try CrashReport(
                        reading: bytes,
                        atMost: SymbolLimits.formReportBytes,
                        values: SymbolLimits.formValues,
                    ),
                    try LLVMSymbolizer.installed(in: nil), try store.symbolIndex(),
                )
            }
            let places = report.wantedUUIDs.reduce(into: [ImageUUID: SymbolIndex.Place]()) {
                let known = index[$1].filter { principal.may(.read, on: $0.app) }
                // Another app may contain an image of the same UUID.
                $0[$1] = known.first { $0.app == app } ?? known.first
            }
            return try await CrashSymbolication(
                by: symbolizer,
                in: FileManager.default.temporaryDirectory.path,
            ).names(of: report) { uuid in
                guard let place = places[uuid] else { return nil }
                let path = try await store.servedFile(of: place.file.blob)
                return try await visit.site.work {
                    do {
                        let archive = try ZippedSymbols(reading: FileSource(path: path))
                        return try SymbolSearch.bundles(in: archive, of: place.file.name)
                            .first { $0.images.contains { $0.uuid == uuid } }
                    } catch let error as any ReportableError where error.kind == .invalid {
                        throw SymbolizerFailure.ended("was not started, because \(error)")
                    }
                }
            }
        }
    }
}

/// Symbolicates one report at a time, because each may take gigabytes of disk and memory; a few may wait.
private actor CrashTurn {
    private static let shared = CrashTurn()
    private static let most = 8

    private struct Waiting {
        let number: Int
        let turn: CheckedContinuation<Void, any Error>
    }

    private var isTaken = false
    private var waiting: [Waiting] = []
    private var count = 0

    static func taking<Result: Sendable>(
        _ body: () async throws -> Result
    ) async throws -> Result {
        try await shared.enter()
        do {
            let result = try await body()
            await shared.leave()
            return result
        } catch {
            await shared.leave()
            throw error
        }
    }

    /// Waits for the turn; a waiting task that is cancelled leaves the queue.
    private func enter() async throws {
        try Task.checkCancellation()
        guard isTaken else {
            isTaken = true
            return
        }
        guard waiting.count < Self.most else { throw SymbolizerFailure.busy }
        count += 1
        let number = count
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (turn: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else { return turn.resume(throwing: CancellationError()) }
                waiting.append(Waiting(number: number, turn: turn))
            }
        } onCancel: {
            Task { await self.giveUp(number) }
        }
    }

    private func giveUp(_ number: Int) {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: place).turn.resume(throwing: CancellationError())
    }

    private func leave() {
        guard !waiting.isEmpty else {
            isTaken = false
            return
        }
        waiting.removeFirst().turn.resume()
    }
}
