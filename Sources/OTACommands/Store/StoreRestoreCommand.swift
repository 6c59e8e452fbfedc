import ArgumentParser
import Foundation
import Releases
import Store

struct StoreRestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a store from a backup, or one document from its previous version.",
        discussion: """
            A backup is restored into a new or empty folder and checked as it is written; if the \
            check fails, the folder stays empty. A document is restored as it was before its last \
            change, so repeat that change if it revoked something; an app is restored with access \
            for approved devices only. The undone version is kept: --undone restores it. For a journal, unreadable lines are moved aside.
            Example:
              ota store restore ota-backup.tar --store ./ota-store
              ota store restore --document devices.json
              ota store restore --document devices.json --undone
              ota store restore --document devices.json --empty
            """,
    )

    @Argument(help: "The backup file.")
    var backup: String?

    @Option(
        help: """
            A document of the store to restore to its previous version, such as devices.json; or a \
            journal.
            """
    )
    var document: String?

    @Flag(help: "Restore the version that the last restore of the --document replaced.")
    var undone = false

    @Flag(help: "Replace the --document with an empty register, if no version of it is left.")
    var empty = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (backup == nil) != (document == nil) else {
            throw ValidationError("give either a backup file or --document")
        }
        guard !empty || document != nil else { throw ValidationError("--empty needs a --document") }
        guard !undone || document != nil else {
            throw ValidationError("--undone needs a --document")
        }
        guard !empty || !undone else { throw ValidationError("give --empty or --undone, not both") }
    }

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        if let backup { try restore(backup, in: context) }
        if let document { try stepBack(document, in: context) }
    }

    private func restore(_ backup: String, in context: CommandContext) throws {
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        let place = try storeOptions.place(in: context)
        let progress = { (done: Int, total: Int) in
            bar.update("Restoring", fraction: Double(done) / Double(max(total, 1)))
        }
        let summary =
            switch place {
            case .folder(let root):
                try StoreRestore.run(from: backup, into: root, progress: progress)
            case .bucket(let address):
                try StoreRestore.run(
                    from: backup,
                    into: address.backend(in: context, usesNote: true),
                    progress: progress,
                )
            }
        bar.finish()
        let result = BackupResult(verb: "Restored", file: place.location, summary: summary)
        try context.show(result, json: output.json)
    }

    /// Works on the documents directly, because a store with a damaged document may not open.
    private func stepBack(_ document: String, in context: CommandContext) throws {
        let store = OTAStore(backend: try storeOptions.place(in: context).backend(in: context))
        if empty {
            try store.abandon(document)
            try context.show(StartedEmpty(document: .init(document: document)), json: output.json)
            return
        }
        if undone {
            try store.restoreUndone(document)
            try context.show(
                SteppedForward(document: .init(document: document)),
                json: output.json,
            )
            return
        }
        if let lines = try store.setAsideUnreadableLines(of: document) {
            try context.show(SetAside(document: document, lines: lines), json: output.json)
            return
        }
        let step = try store.restorePrevious(document)
        try context.show(SteppedBack(name: document, step: step), json: output.json)
    }
}

private struct StartedEmpty: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let document: String
        let empty = true
    }

    let document: Document

    func text(style: Style) -> String {
        "\(style.warning("Started empty")): \(document.document.printable). Its contents are lost."
    }
}

private struct SteppedForward: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let document: String
        let undone = true
    }

    let document: Document

    func text(style: Style) -> String {
        "\(style.good("Restored")) \(document.document.printable) as it was before the last restore. "
            + "The version that the earlier restore brought back is now its previous version."
    }
}

private struct SteppedBack: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let document: String
        /// Whether the document differs now from what it was before.
        let changed: Bool
        let closed: Bool
        let undoneKept: Bool
    }

    let name: String
    let step: RestoredGeneration

    var document: Document {
        Document(
            document: name,
            changed: step.isChanged,
            closed: step.isClosed,
            undoneKept: step.keepsUndone,
        )
    }

    func text(style: Style) -> String {
        var lines: [String] = []
        if step.isChanged {
            lines = [
                "\(style.good("Restored")) \(name.printable) as it was before its last change.",
                "The last change is undone; `ota activity` shows it. Repeat it if it revoked access, "
                    + "such as that of a token or a device.",
            ]
        } else if step.keepsUndone {
            lines = ["Nothing to restore: the last change of \(name.printable) is already undone."]
        } else {
            lines = [
                "Nothing to restore: the previous version of \(name.printable) is the same as the "
                    + "current one. It has not changed since it was created, or since the store was "
                    + "copied or restored."
            ]
        }
        if step.keepsUndone {
            lines.append(
                "To go back: `ota store restore --document \(name.printable) --undone`"
            )
        }
        if step.isClosed {
            lines.append(
                "The app is now for approved devices only, because the undone change may have "
                    + "restricted it; change that with `ota apps set`."
            )
        }
        return lines.joined(separator: "\n")
    }
}

private struct SetAside: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let document: String
        let lines: Int
    }

    let name: String
    let lines: Int

    init(document: String, lines: Int) {
        name = document
        self.lines = lines
    }

    var document: Document { Document(document: name, lines: lines) }

    func text(style: Style) -> String {
        lines == 0
            ? "Every line of \(name.printable) can be read."
            : "\(style.good("Moved")) \(Wording.count(lines, "line")) to "
                + "\(name.printable).unreadable"
    }
}
