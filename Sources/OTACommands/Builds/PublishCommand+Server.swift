import APIDocuments
import OTAClient

/// Publishing to a running server.
extension PublishCommand {
    /// - Returns: nil after a dry run, which publishes nothing.
    func publish(
        to server: String,
        in context: CommandContext,
    ) async throws -> PublishOutcome? {
        let connection = try target.connection(to: server, in: context)
        let attached = try PublishedSymbols(in: symbols, of: build.source())
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        defer { bar.finish() }
        var result = try await RemotePublish(
            build: build,
            anchors: try anchors(in: context).anchors(),
            options: try publishOptions(in: context),
            server: server,
            bar: bar,
            clock: context.now,
        ).run(over: UploadClient(over: connection))
        let kept =
            dryRun
            ? nil
            : try await attached.send(
                to: RemoteAdministration(connection),
                release: result.released.release,
                of: result.released.app,
                showing: bar,
            )
        bar.finish()
        result.showsCode = !dryRun && (qr ?? context.terminal.style.isColoured)
        result.symbols = attached.entry(kept)
        try context.show(result, json: output.json)
        if !output.json { attached.remark(kept, to: context.terminal) }
        guard !dryRun else { return nil }
        return PublishOutcome(
            of: result.released,
            file: build.path,
            findings: result.findings,
        )
    }
}
