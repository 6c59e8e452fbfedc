import APIDocuments
import Administration
import Bundles
import Cryptography
import Foundation
import Identifiers
import Images
import Inspection
import Publishing
import Releases

/// The result of a publish.
struct PublishResult: CommandResult {
    let published: PublishedBuild
    let isDryRun: Bool
    let addresses: PublishAddresses
    let verdicts: RegisterVerdicts
    /// Whether the server's URL for testers is set.
    let hasBaseURL: Bool
    let showsCode: Bool
    let date: Date
    /// The added dSYMs.
    let symbols: PublishedSymbolsEntry?

    var document: PublishDocument {
        var document = PublishDocument(of: published, at: addresses, verdicts)
        document.symbols = symbols
        document.checkOnly = isDryRun ? true : nil
        return document
    }

    var released: PublishedRelease {
        let release = published.release
        return PublishedRelease(
            app: release.bundleIdentifier.rawValue,
            name: release.name,
            release: release.identifier.rawValue,
            channel: published.channel.rawValue,
            sha256: published.report.identity.sha256.description,
            tag: release.tag,
            commit: release.commit,
            url: addresses.page,
            isCreated: published.isCreated,
            outlook: published.remarks + (outlook(.plain).map { [$0] } ?? []),
        )
    }

    func text(style: Style) -> String {
        let text = FindingsText(style: style)
        var parts = [text.heading(published.report)]
        let findings = published.report.findings
        if !findings.isEmpty { parts.append(text.list(findings)) }
        parts.append(headline(style) + "\n" + style.link(addresses.page))
        parts += published.remarks.map { style.warning($0) }
        if let outlook = outlook(style) { parts.append(outlook) }
        if !hasBaseURL {
            parts.append(
                style.warning("No --base-url yet:")
                    + " the address above is a guess; set it once with `ota publish` or `ota serve`."
            )
        }
        if showsCode, !isDryRun, let code = try? QRCode(encoding: addresses.page) {
            parts.append(code.terminal(ansi: style.isColoured))
        }
        return parts.joined(separator: "\n\n")
    }

    private var expiry: Expiry? { published.report.expiries.first }

    /// When the build expires, and how many of the team's devices can install it.
    private func outlook(_ style: Style) -> String? {
        let end = published.channelEnd.map { Wording.end(of: published.channel.rawValue, on: $0) }
        var lines = [expiry?.sentence(at: date), end].compactMap(\.self)
        if verdicts.count > 0 {
            let command =
                isDryRun
                ? "`ota validate --all-devices`"
                : "`ota devices check \(published.release.bundleIdentifier) "
                    + "\(published.release.identifier)`"
            let sentence = RegisterCount(verdicts).sentence(explainedBy: command)
            lines.append(
                verdicts.canInstall == verdicts.count ? sentence : style.warning(sentence)
            )
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    private func headline(_ style: Style) -> String {
        let name = "\(published.release.name) \(published.release.identifier)".printable
        if isDryRun {
            return published.isCreated
                ? "\(name) would be published; nothing was stored."
                : "\(name) is already published; nothing was stored."
        }
        if published.isCreated {
            return style.good("Published") + " \(name) on \(published.channel)."
        }
        let offer = published.isOffered ? ", now on \(published.channel)" : ""
        return "\(name) is already published\(offer)."
    }
}
