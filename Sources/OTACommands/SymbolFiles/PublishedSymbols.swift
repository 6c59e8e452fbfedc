import APIDocuments
import Bytes
import Identifiers
import OTAClient
import Releases
import Symbols

/// The dSYMs for a build, checked before anything is published.
struct PublishedSymbols {
    /// The dSYMs that belong to a program of the build.
    let bundles: [SymbolBundle]
    /// The names of the others.
    let unmatched: [String]

    /// Finds the dSYMs and compares their UUIDs with those of the build's programs.
    ///
    /// - Throws: `SymbolRefusal` if none belongs to the build, or there is none.
    init(in paths: [String], of build: FileSource) throws {
        guard !paths.isEmpty else {
            (bundles, unmatched) = ([], [])
            return
        }
        let found = try SymbolInput.bundles(at: paths)
        let known = Set(try ProgramSearch.programs(of: build).flatMap(\.images).map(\.uuid))
        func belongs(_ bundle: SymbolBundle) -> Bool {
            bundle.images.contains { known.contains($0.uuid) }
        }
        bundles = found.filter(belongs)
        unmatched = found.filter { !belongs($0) }.map(\.name)
        guard !bundles.isEmpty else { throw SymbolRefusal.unmatched(unmatched) }
    }

    /// Sends them to a server, one request for each.
    ///
    /// - Returns: all dSYMs of the release; nil if there was nothing to send.
    func send(
        to server: RemoteAdministration,
        release: String,
        of app: String,
        showing bar: ProgressBar,
    ) async throws -> SymbolsDocument? {
        guard !bundles.isEmpty else { return nil }
        let sending = SymbolSending(server: server, release: release, app: app, bar: bar)
        return try await sending.send(bundles)
    }

    /// The entry for JSON; nil if there are no dSYMs.
    func entry(_ document: SymbolsDocument?) -> PublishedSymbolsEntry? {
        document == nil && unmatched.isEmpty
            ? nil : PublishedSymbolsEntry(document, unmatched: unmatched)
    }

    /// Prints to standard error which dSYMs were added, skipped and are missing.
    func remark(_ document: SymbolsDocument?, to terminal: Terminal) {
        if let document {
            terminal.remark(SymbolsText(document: document).summary)
        }
        if !unmatched.isEmpty {
            terminal.remark(
                "Skipped, because they match no binary of the build: "
                    + unmatched.joined(separator: ", ").printable
            )
        }
    }
}
