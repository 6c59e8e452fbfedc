import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Identifiers
import Releases

struct ReleasesLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Print the link to a release or a channel, as a comment for a pull request.",
        discussion: """
            Without a release, the link is to the channel and leads to its newest release. The \
            first line of the Markdown is a hidden marker. It is the same for every build of an \
            app's channel, so a job can find its comment and update it.
            Example:
              ota releases link browsey --channel pr-12 > comment.md
              ota releases link browsey 1.2.0-34 --format url
            """,
    )

    @Argument(help: "The app, by bundle identifier or slug.")
    var app: String

    @Argument(help: "The release: version-build, or only the version if it has one build.")
    var release: String?

    @Option(help: "The channel; default: the one that the app's page shows.")
    var channel: ChannelName?

    @Option(help: "How to print the link.")
    var format: LinkFormat = .markdown

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard release == nil || channel == nil else {
            throw ValidationError("give a release or --channel, not both")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(ShowLink(to: app, release: release, channel: channel?.rawValue))
        try context.show(
            ReleaseLink(document: document, isAddressOnly: format == .url),
            json: output.json || format == .json,
        )
    }
}

/// A link to a release or a channel.
private struct ReleaseLink: CommandResult {
    let document: LinkDocument
    let isAddressOnly: Bool

    func text(style: Style) -> String {
        isAddressOnly ? document.url.printable : markdown
    }

    private var markdown: String {
        let place = document.channel ?? document.release
        var parts = [
            "<!-- ota \(document.app.printable) \(place.printable) -->",
            "### \(document.title.markdown) \(document.version.markdown) "
                + "(\(document.build.markdown))",
            "**[Open the install page](<\(document.url.linkTarget)>)** on the device"
                + (document.isOpen ? ", or scan the QR code with it." : "."),
        ]
        // If the page requires sign-in, the host that shows the comment cannot fetch the image.
        if document.isOpen {
            parts.append(
                // An SVG without a size would be as wide as the comment.
                "[<img src=\"\(document.qrURL.linkTarget)\" width=\"160\" "
                    + "alt=\"QR code of the install page\">](<\(document.url.linkTarget)>)"
            )
        }
        parts += document.warnings.map { "**Warning:** \($0.markdown)" }
        parts.append(
            "| | |\n|---|---|\n" + rows.map { "| \($0) | \($1.markdown) |" }.joined(separator: "\n")
        )
        return parts.joined(separator: "\n\n")
    }

    private var rows: [(String, String)] {
        var rows: [(String, String)] = []
        if let channel = document.channel { rows.append(("Channel", channel)) }
        if let ends = document.ends { rows.append(("Link ends", Wording.moment(ends))) }
        if let until = document.installsUntil {
            rows.append(("Installs until", Wording.day(until)))
        }
        if document.devices.registered > 0 {
            rows.append(("Devices", document.devices.sentence))
        }
        if let tag = document.tag { rows.append(("Tag", tag)) }
        if let commit = document.commit { rows.append(("Commit", commit)) }
        rows.append(("Release", document.release))
        return rows
    }
}
