import ArgumentParser
import Foundation
import Store

/// Which store a command works on, and whether it answers in JSON.
struct StoreOptions: ParsableArguments {
    @Option(help: "The folder that holds everything (or OTA_STORE).")
    var store: String?

    /// The folder, made absolute.
    func folder(in context: CommandContext) -> URL {
        let path = store ?? context.environment["OTA_STORE"] ?? "./ota-store"
        return URL(filePath: path, directoryHint: .isDirectory).absoluteURL
    }

    /// The store, for a command that only looks.
    func open(in context: CommandContext) throws(StoreFailure) -> OTAStore {
        try OTAStore.open(at: path(in: context))
    }

    /// The store, made when there is none yet, for a command that puts something into it.
    func openOrCreate(in context: CommandContext) throws(StoreFailure) -> OTAStore {
        try OTAStore.openOrCreate(at: path(in: context), now: context.now())
    }

    func path(in context: CommandContext) -> String {
        let path = folder(in: context).path()
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

/// How a command answers.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Answer in JSON.")
    var json = false
}
