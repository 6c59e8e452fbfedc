import APIDocuments
import Administration
import ArgumentParser
import Bytes
import Foundation
import Identifiers
import OTAClient
import Problems
import Releases
import Store
import Symbolication
import Symbols

struct SymbolicateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "symbolicate",
        abstract: "Symbolicate a crash report: show functions, files and lines.",
        discussion: """
            Reads .ips files from iPhones and iPads, and the older text format. Finds dSYMs by the \
            UUIDs in the report, first among those given with --dsym, then among those of releases \
            (`ota symbols`). Needs llvm-symbolizer, version 14 or later: `apt-get install llvm`.
            Example:
              ota symbolicate crash.ips --server https://ota.example.com --token-file token
              ota symbolicate crash.ips --dsym App.xcarchive
            """,
    )

    @Argument(help: "The crash report, or - for standard input.")
    var report: String

    @Option(
        help: ArgumentHelp(
            """
            A .dSYM, a folder or ZIP archive of dSYMs, or an .xcarchive. May be repeated. Without \
            --server and --store, no other dSYMs are used.
            """,
            valueName: "path",
        )
    )
    var dsym: [String] = []

    @Option(
        help: ArgumentHelp(
            "Keep downloaded dSYMs in this folder. Default: ota/symbols in ~/.cache.",
            valueName: "folder",
        )
    )
    var cache: String?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let report = try CrashReport(reading: bytes())
        let own = try SymbolInput.bundles(at: dsym)
        let isAlone = !dsym.isEmpty && target.server == nil && target.store == nil
        let shelf = try isAlone ? nil : target.open(in: context)
        let symbolizer = try LLVMSymbolizer.installed(in: context.environment["PATH"])
        let wanted = report.wantedUUIDs.filter { uuid in
            !own.contains { $0.images.contains { $0.uuid == uuid } }
        }
        let found = try await shelf?.symbols(of: wanted) ?? []
        let cache = SymbolCache(cache, in: context.environment)
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        defer { bar.finish() }
        let symbolication = CrashSymbolication(
            by: symbolizer,
            in: FileManager.default.temporaryDirectory.path,
        )
        let result = try await symbolication.names(of: report) { uuid in
            if let bundle = own.first(where: { $0.images.contains { $0.uuid == uuid } }) {
                return bundle
            }
            guard let entry = found.first(where: { $0.uuid == uuid }), let shelf else {
                return nil
            }
            bar.update("Getting \(entry.name)", fraction: 0)
            return try await shelf.bundle(entry, cachedIn: cache)
        }
        bar.finish()
        try context.show(SymbolicateResult(result: result), json: output.json)
    }

    private func bytes() throws -> [UInt8] {
        let limit = SymbolLimits.reportBytes
        guard report != "-" else {
            let data = try FileHandle.standardInput.read(upToCount: limit + 1) ?? Data()
            return Array(data)
        }
        let file: FileSource
        do {
            file = try FileSource(path: report)
        } catch {
            throw Problem(unreadable: report, because: error.reason)
        }
        guard file.count <= limit else { throw CrashReportRefusal.tooLarge(limit: limit) }
        return try file.bytes(at: 0, count: file.count)
    }
}

extension CommandTarget {
    /// The dSYMs of slices, from all apps that may be read.
    fileprivate func symbols(of uuids: [ImageUUID]) async throws -> [FoundSymbolsEntry] {
        var rest = uuids[...]
        var found: [FoundSymbolsEntry] = []
        while !rest.isEmpty {
            found += try await perform(FindSymbols(of: rest.prefix(FindSymbols.limit))).symbols
            rest = rest.dropFirst(FindSymbols.limit)
        }
        return found
    }

    /// The dSYM of a slice, from the store or from the cache for the server.
    fileprivate func bundle(
        _ found: FoundSymbolsEntry,
        cachedIn cache: SymbolCache,
    ) async throws -> SymbolBundle? {
        let archive: FileSource
        switch self {
        case .store(let store):
            let file = try store.symbolFile(found.uuid, of: found.release, of: found.app)
            archive = try FileSource(path: store.admin.store.file(of: file.blob))
        case .server(let server):
            archive = try await cache.archive(of: found, from: server)
        }
        return try SymbolSearch.bundles(in: ZippedSymbols(reading: archive), of: found.name)
            .first { $0.images.contains { $0.uuid == found.uuid } }
    }
}
