import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Foundation
import Identifiers
import Inspection
import Releases

extension ChannelName: TypedValue {}
extension ChannelLife: TypedValue {}

/// The app and the release, which most subcommands need.
struct ReleaseArguments: ParsableArguments {
    @Argument(help: "The app, by bundle identifier or slug.")
    var app: String

    @Argument(help: "The release: version-build, or only the version if it has one build.")
    var release: String
}

/// A sentence about one release, with its document for JSON.
struct ReleaseResult: CommandResult {
    let document: ReleaseDocument
    let sentence: String

    func text(style: Style) -> String {
        let findings = (document.findings ?? []).map(\.finding)
        guard !findings.isEmpty else { return sentence.printable }
        return sentence.printable + "\n\n" + FindingsText(style: style).list(findings)
    }
}

extension ReleaseEntry {
    /// Such as `Browsey 1.2.0-34`.
    var title: String { "\(name) \(release)" }
}
