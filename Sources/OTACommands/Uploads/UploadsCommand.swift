import APIDocuments
import ArgumentParser
import OTAClient
import Problems
import Releases
import Uploads

struct UploadsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uploads",
        abstract: "List and cancel unfinished uploads of builds to a running server.",
        discussion: """
            Shows the uploads of the token; a token with the scope admin shows and cancels everyone's.
            Example:
              ota uploads list --server https://ota.example.com --token-file token
              ota uploads cancel 4f1d0c9a83b2e6754f1d0c9a83b2e675
            """,
        subcommands: [UploadsList.self, UploadsCancel.self],
    )
}

struct UploadsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List unfinished uploads, the oldest first.",
        discussion: """
            Example:
              ota uploads list --server https://ota.example.com --token-file token
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.server(forUploadsIn: context).uploads()
        try context.show(UploadsText(document: document), json: output.json)
    }
}

struct UploadsCancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel an upload and delete what has arrived of it.",
        discussion: """
            Example:
              ota uploads cancel 4f1d0c9a83b2e6754f1d0c9a83b2e675
            """,
    )

    @Argument(help: "The upload, as the list shows it.")
    var upload: UploadIdentifier

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        try await target.server(forUploadsIn: context).cancel(upload)
        try context.show(CancelledUpload(upload: "\(upload)"), json: output.json)
    }
}

extension TargetOptions {
    /// The server, which alone knows the progress of its uploads.
    fileprivate func server(
        forUploadsIn context: CommandContext
    ) throws -> RemoteAdministration {
        guard let address = serverURL(in: context) else {
            throw Problem(
                id: "server.none",
                kind: .invalid,
                message: "uploads are known only to the server that receives them",
                fix: "give --server or OTA_SERVER",
            )
        }
        return try remote(address, in: context)
    }
}

extension UploadIdentifier: TypedValue {}

private struct UploadsText: CommandResult {
    let document: UploadsDocument

    func text(style: Style) -> String {
        var table = Table(["UPLOAD", "FROM", "BUILD", "ARRIVED", "LAST"])
        for upload in document.uploads {
            let build = [upload.app, upload.version, upload.build.map { "(\($0))" }]
                .compactMap(\.self).joined(separator: " ")
            table.add([
                upload.upload, upload.publisher, build.isEmpty ? "-" : build,
                upload.arrived,
                Wording.moment(upload.touched),
            ])
        }
        return table.isEmpty ? "No unfinished uploads." : table.text(style: style)
    }
}

extension UploadEntry {
    fileprivate var arrived: String {
        switch state {
        case "publishing": "all of \(Wording.size(size)), being published"
        case "checked": "all of \(Wording.size(size)), checked only"
        default: "\(Wording.size(offset)) of \(Wording.size(size))"
        }
    }
}

private struct CancelledUpload: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let upload: String
    }

    let upload: String

    var document: Document { Document(upload: upload) }

    func text(style: Style) -> String { "Cancelled the upload \(upload)." }
}
