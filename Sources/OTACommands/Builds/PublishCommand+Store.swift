import APIDocuments
import Administration
import Foundation
import Inspection
import OTAServer
import Problems
import Publishing
import Releases
import Store

/// Publishing to a store on this machine, or a dry run of that.
extension PublishCommand {
    /// - Returns: nil after a dry run, which stores nothing.
    func publishToStore(in context: CommandContext) throws -> PublishOutcome? {
        guard dryRun || !target.lacksServer(in: context) else {
            throw Problem(
                id: "server.none",
                kind: .invalid,
                message: "there is a token, but no server to publish to",
                fix: "give --server or OTA_SERVER, or --store for a store on this machine",
            )
        }
        let options = try publishOptions(in: context)
        let anchorOptions = anchors(in: context)
        // First, so that an unreadable file is reported before anything else is done.
        let attached = try PublishedSymbols(in: symbols, of: build.source())
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        defer { bar.finish() }
        let scratch = FileManager.default.temporaryDirectory
            .appending(path: "ota-dry-run-\(UUID().uuidString)", directoryHint: .isDirectory)
        defer { if dryRun { try? FileManager.default.removeItem(at: scratch) } }
        let (store, keepKnowledge) = try store(in: context, orElse: scratch)
        let settings = try store.settings()
        let published = try Publish(
            into: store,
            trusting: anchorOptions.anchors(remembered: settings.anchors),
            options: options,
            progress: { bar.update($0.title, fraction: $0.fraction) },
        ).file(build.path)
        var kept: SymbolsDocument?
        if !dryRun, !attached.bundles.isEmpty {
            let release = try store.keepSymbols(
                attached.bundles,
                with: published.release,
                by: options.publisher,
                at: options.date,
            )
            kept = SymbolsDocument(of: release.release, added: release.added)
        }
        bar.finish()
        if !dryRun {
            try target.storeOptions.remember(
                baseURL: baseURL,
                anchors: anchorOptions.pem(),
                in: store,
            )
        }
        let base = baseURL ?? settings.baseURL
        let links = Links(base: try base ?? ServeCommand.defaultBaseURL())
        let result = PublishResult(
            published: published,
            isDryRun: dryRun,
            addresses: PublishAddresses(
                of: published,
                on: options.channel,
                links: links,
                capabilities: CapabilityAuthority(key: try store.capabilityKey()),
                at: options.date,
            ),
            verdicts: RegisterVerdicts(
                of: published.report,
                for: try store.devices(),
                at: options.date,
            ),
            hasBaseURL: base != nil,
            showsCode: qr ?? context.terminal.style.isColoured,
            date: options.date,
            symbols: attached.entry(kept),
        )
        try context.show(result, json: output.json)
        if !output.json { attached.remark(kept, to: context.terminal) }
        guard !dryRun else { return nil }
        keepKnowledge()
        return PublishOutcome(
            of: result.released,
            file: build.path,
            findings: published.report.findings,
        )
    }

    /// Returns the store; for a dry run without one, an empty store in the folder `scratch`.
    ///
    /// - Returns: the store, and a function that keeps what this command has learned about it.
    private func store(
        in context: CommandContext,
        orElse scratch: URL,
    ) throws -> (OTAStore, keep: @Sendable () -> Void) {
        let options = target.storeOptions
        guard dryRun else { return try options.openOrCreateRecalling(in: context) }
        let place = try options.place(in: context)
        do {
            return (try OTAStore.open(on: place.backend(in: context)), {})
        } catch StoreFailure.missing(path: place.location) {
            let store = try OTAStore.openOrCreate(
                at: scratch.path(percentEncoded: false),
                now: context.now(),
            )
            return (store, {})
        }
    }
}
