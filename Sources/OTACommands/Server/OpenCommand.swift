import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Identifiers
import OTAClient
import Problems
import Releases

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open the admin pages, or an app's page, in a browser.",
        discussion: """
            Prints the URL, and opens it in a browser if this machine has a display; on Linux, \
            xdg-open must be installed too.
            Example:
              ota open --server https://ota.example.com
              ota open browsey
            """,
    )

    @Argument(help: "Open this app's page for testers, by bundle identifier or slug.")
    var app: String?

    @Flag(name: .customLong("no-browser"), help: "Only print the URL.")
    var isPrintOnly = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let url = try await url(in: context)
        try context.show(OpenedPage(document: OpenedPage.Document(url: url)), json: output.json)
        guard !isPrintOnly, !output.json else { return }
        if let opener = BrowserOpener(environment: context.environment), !opener.open(url) {
            context.terminal.remark("no browser could be started")
        }
    }

    /// The store does not have its server's URL, which this command does not set.
    private static let noBaseURL = Problem(
        id: AdministrationRefusal.noBaseURL.id,
        kind: AdministrationRefusal.noBaseURL.kind,
        message: AdministrationRefusal.noBaseURL.description,
        fix: "give --server https://…, or start `ota serve --base-url https://…` once",
    )

    private func url(in context: CommandContext) async throws -> String {
        // A server's admin pages can be opened without a token.
        if app == nil, let server = target.serverURL(in: context) {
            return Links(base: try BaseURL(server)).absolute("/admin")
        }
        let administration = try target.open(in: context)
        guard let base = try await administration.baseURL() else {
            throw Self.noBaseURL
        }
        let links = Links(base: base)
        guard let app else { return links.absolute("/admin") }
        let document = try await administration.perform(ShowApp(app))
        return Slug(document.app.slug).map { links.app($0) } ?? base.rawValue
    }
}

/// The URL of a page, which may have been opened in a browser.
private struct OpenedPage: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let url: String
    }

    let document: Document

    func text(style: Style) -> String { document.url.printable }
}

/// The program that opens URLs in the user's browser.
private struct BrowserOpener {
    private let program: String

    /// Nil if there is no display, or no such program.
    init?(environment: [String: String]) {
        #if os(macOS)
        let name = "open"
        let hasDisplay = environment["SSH_CONNECTION"] == nil
        #else
        let name = "xdg-open"
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
            environment[$0]?.isEmpty == false
        }
        #endif
        guard hasDisplay else { return nil }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        let programs = folders.map { "\($0)/\(name)" }
        guard let program = programs.first(where: FileManager.default.isExecutableFile) else {
            return nil
        }
        self.program = program
    }

    /// Starts the program without waiting for it: some browsers run until they are closed.
    func open(_ url: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = [url]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return (try? process.run()) != nil
    }
}
