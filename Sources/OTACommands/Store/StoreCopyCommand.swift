import ArgumentParser
import Bytes
import OTAServer
import ObjectStore
import Releases
import Store

struct StoreCopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy the whole store between a folder and a bucket.",
        discussion: """
            Stop the servers first: the copy does not contain what a server publishes or changes after the \
            copy has ended. The target must be empty; after an interruption, the same \
            command continues. Everything is read again from the target and compared. Running uploads are \
            not copied.
            Example:
              ota store copy ./ota-store s3://builds/ota
              ota store copy s3://builds/ota ./ota-store
            """,
    )

    @Argument(help: "The store: a folder, or s3://BUCKET/PREFIX.")
    var from: String

    @Argument(help: "A new or empty folder, or s3://BUCKET/PREFIX.")
    var to: String

    @OptionGroup(title: "A store in a bucket") var bucket: BucketOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !from.isEmpty, !to.isEmpty else {
            throw ValidationError("give two stores: a folder or s3://…")
        }
        if !from.hasBytes(first: "s3://"), !to.hasBytes(first: "s3://"),
            let option = bucket.typed.first
        {
            throw ValidationError("\(option) is for a store in a bucket, such as s3://builds/ota")
        }
    }

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        var options = StoreOptions()
        options.bucket = bucket
        options.store = from
        let source = try options.open(in: context)
        options.store = to
        let place = try options.place(in: context)
        let target: any Backend =
            switch place {
            case .folder(let path): try folder(path)
            case .bucket: try place.backend(in: context)
            }
        let isServed = try Self.isServed(source.backend)
        if isServed, !output.json {
            context.terminal.remark(
                """
                A server is using \(source.backend.location.printable). The copy contains what it publishes \
                or changes until the copy ends, but nothing after that: stop the server and copy again, to \
                another empty place, before you use the copy.
                """
            )
        }
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        let summary = try StoreCopy.run(from: source.backend, to: target) { done, total in
            bar.update("Copying", fraction: Double(done) / Double(max(total, 1)))
        }
        bar.finish()
        let result = CopyResult(
            from: source.backend.location,
            to: place.location,
            isServed: isServed,
            summary: summary,
        )
        try context.show(result, json: output.json)
    }

    /// Whether a server uses a store, or crashed a moment ago.
    private static func isServed(_ store: any Backend) throws(StoreFailure) -> Bool {
        // Any number of servers may use a bucket; one of them is the leader.
        guard !store.isElsewhere else { return try store.claim(SharedWork.duties) == nil }
        do throws(StoreFailure) {
            _ = try store.claimForServer()
        } catch {
            // A folder that is not writable can still be copied.
            if case .alreadyServed = error { return true }
        }
        return false
    }

    private func folder(_ path: String) throws -> DirectoryBackend {
        try StorePosition.requireUsable(at: path)
        return try DirectoryBackend(making: path)
    }
}

private struct CopyResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let from, to: String
        let documents, blobs, bytes, blobsThere: Int
        /// Whether a server used the source: its changes after the copy has ended are missing.
        let isServed: Bool
        /// The teams in whose developer accounts the copy changes nothing until an admin approves it again.
        let withdrawnAgreements: [String]
    }

    let from, to: String
    let isServed: Bool
    let summary: StoreCopy.Summary

    var document: Document {
        Document(
            from: from,
            to: to,
            documents: summary.documents,
            blobs: summary.blobs,
            bytes: summary.bytes,
            blobsThere: summary.blobsThere,
            isServed: isServed,
            withdrawnAgreements: summary.withdrawnAgreements,
        )
    }

    func text(style: Style) -> String {
        var lines = [
            "\(style.good("Copied")) \(Wording.count(summary.documents, "document")) and "
                + "\(Wording.count(summary.blobs, "blob")), \(Wording.size(summary.bytes)): "
                + to.printable,
            "Everything was read again from there and compared.",
        ]
        if summary.blobsThere > 0 {
            lines.append("\(Wording.count(summary.blobsThere, "blob")) had been copied before.")
        }
        if !summary.withdrawnAgreements.isEmpty {
            lines.append(
                "The server makes no changes in developer accounts until you allow them again: run "
                    + summary.withdrawnAgreements.map { "`ota teams sync \($0)`" }
                    .joined(separator: ", ") + " again."
            )
        }
        return lines.joined(separator: "\n")
    }
}
