import ArgumentParser
import Bytes
import Foundation
import Problems
import Releases
import Store

struct StoreBackUp: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the whole store to one file, even while the server runs.",
        discussion: """
            The backup contains the store's private keys: restrict who can read it. The private keys \
            of teams are in it sealed; the key file that opens them is not. If part of the \
            store is damaged, the rest is backed up, the damage is listed, and the exit status is 1.
            Example:
              ota store backup ota-backup.tar
            """,
    )

    @Argument(help: "The file to write; an existing one is replaced once the new one is complete.")
    var file: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        try checkPlace(beside: storeOptions.place(in: context).location)
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        let summary = try StoreBackup.write(store, to: file) { done, total in
            bar.update("Backing up", fraction: Double(done) / Double(max(total, 1)))
        }
        bar.finish()
        let result = BackupResult(verb: "Backed up", file: file, summary: summary)
        try context.show(result, json: output.json)
        if !summary.problems.isEmpty { throw ExitCode(1) }
    }

    /// Refuses a folder, and a path in the store, where the next backup would include this one.
    private func checkPlace(beside store: String) throws {
        let url = URL(filePath: file).absoluteURL
        let parent = url.deletingLastPathComponent().resolvingSymlinksInPath()
            .path(percentEncoded: false)
        var isFolder: ObjCBool = false
        let isThere = unsafe FileManager.default.fileExists(
            atPath: url.path(percentEncoded: false),
            isDirectory: &isFolder,
        )
        let isInside = parent.hasBytes(first: store + "/") || parent == store
        guard file.isEmpty || isInside || (isThere && isFolder.boolValue) else { return }
        throw Problem(
            id: "backup.place",
            kind: .invalid,
            message: isInside
                ? "the backup would be inside the store" : "a backup is a file, not a folder",
            place: file,
            fix: "name a file outside the store, such as ota-backup.tar",
        )
    }
}

/// The result of creating or restoring a backup.
struct BackupResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let file: String
        let documents, blobs, bytes: Int
        /// The teams whose private keys are in it, sealed with a key that is not in it.
        let sealedIdentities: [String]
        /// Damaged or missing items in it.
        let problems: [StoreProblem]
    }

    let verb: String
    let file: String
    let summary: StoreBackup.Summary

    var document: Document {
        Document(
            file: file,
            documents: summary.documents,
            blobs: summary.blobs,
            bytes: summary.bytes,
            sealedIdentities: summary.sealedIdentities,
            problems: summary.problems,
        )
    }

    func text(style: Style) -> String {
        let sentence =
            "\(style.good(verb)) \(Wording.count(summary.documents, "document")) and "
            + "\(Wording.count(summary.blobs, "blob")), \(Wording.size(summary.bytes)): \(file)"
            + sealed + withdrawn
        guard !summary.problems.isEmpty else { return sentence }
        let count = Wording.count(summary.problems.count, "problem")
        return
            (summary.problems.map { $0.text(style: style) } + [
                sentence,
                style.bad("\(count): the items above are damaged or not in the backup."),
            ]).joined(separator: "\n")
    }

    /// The teams in whose developer accounts an admin now has to approve changes again.
    private var withdrawn: String {
        guard !summary.withdrawnAgreements.isEmpty else { return "" }
        return
            "\nThe server makes no changes in developer accounts until you allow them again, because the "
            + "original store may still be in use: run "
            + summary.withdrawnAgreements.map { "`ota teams sync \($0)`" }
            .joined(separator: ", ") + " again."
    }

    /// The teams whose private keys are in it; empty if there are none.
    private var sealed: String {
        guard !summary.sealedIdentities.isEmpty else { return "" }
        return "\nIt has the sealed private keys of the teams "
            + summary.sealedIdentities.joined(separator: ", ")
            + ", and not the key file that opens them."
    }
}
