import Bundles
import Bytes
import Cryptography
import Foundation
import Identifiers
import Images
import Inspection
import Pages
import Publishing
import Releases

/// A build as a folder of files for any HTTPS host.
struct BundleExport {
    let folder: String
    let base: BaseURL
    let isDryRun: Bool
    /// The language of the pages.
    let language: Language

    func write(
        _ source: any ByteSource,
        options: PublishOptions,
        trusting anchors: TrustAnchors,
        progress: @Sendable (PublishProgress) -> Void,
    ) throws -> ExportedBundle {
        let examined = try Examination(anchors: anchors, date: options.date)
            .examine(source, progress: progress)
        let release = try examined.release(options)
        let bundle = StaticBundle(of: release, at: base)
        let assets = try Assets()
        let words = try Catalogues(assets: assets)[language]
        let page = try PageRenderer(assets: assets).html(
            page(for: release, examined.report, in: bundle.folder, at: options.date, assets, words)
        )
        let guide = try PageRenderer(assets: assets).html(
            GuidePage(
                GuideTexts(assets),
                startURL: nil,
                chrome: PageChrome(inlining: assets, words: words),
            )
        )
        var files: [String] = []
        if !isDryRun {
            files = try bundle.write(
                to: folder,
                page: page,
                guide: guide,
                archive: source,
                icons: examined.icon.set,
            )
        }
        return ExportedBundle(
            release: release,
            report: examined.report,
            folder: bundle.folder,
            page: base.rawValue + "/install.html",
            files: files,
            date: options.date,
        )
    }

    private func page(
        for release: Release,
        _ report: InspectionReport,
        in folder: InstallFolder,
        at date: Date,
        _ assets: Assets,
        _ words: Words,
    ) throws -> InstallPage {
        let address = base.rawValue + "/install.html"
        let code = try QRCode(encoding: address).svg(
            label: words.text("action.install", ["app": release.name])
        )
        return InstallPage(
            build: InstallPage.Build(release: release, report: report, channel: nil),
            links: InstallPageLinks(
                page: address,
                install: folder.installLink(),
                icon: "icon-512.png",
                code: code,
            ),
            visitor: .other,
            at: date,
            chrome: PageChrome(inlining: assets, helpURL: "help.html", words: words),
        )
    }
}

/// A folder that was written.
struct ExportedBundle: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let app, release, version, build, channel, sha256: String
        let created = true
        let url, manifestURL, ipaURL: String
        let files: [String]
        @OrNull var installsUntil: Date?
        @OrNull var installsUntilBecause: ExpiryDocument?
        let findings: [FindingDocument]
    }

    let release: Release
    let report: InspectionReport
    let folder: InstallFolder
    let page: String
    let files: [String]
    let date: Date

    var document: Document {
        Document(
            app: release.bundleIdentifier.rawValue,
            release: release.identifier.rawValue,
            version: release.version,
            build: release.build,
            channel: release.channel.rawValue,
            sha256: release.sha256.description,
            url: page,
            manifestURL: folder.manifest,
            ipaURL: folder.archive(named: "App"),
            files: files,
            installsUntil: expiry?.date,
            installsUntilBecause: expiry.map(ExpiryDocument.init),
            findings: report.findings.map { FindingDocument($0) },
        )
    }

    private var expiry: Expiry? { report.expiries.first }

    func text(style: Style) -> String {
        let text = FindingsText(style: style)
        var parts = [text.heading(report)]
        if !report.findings.isEmpty { parts.append(text.list(report.findings)) }
        parts.append(
            files.isEmpty
                ? "The folder would be written; nothing was written."
                : files.map { style.faint("wrote ") + $0.printable }.joined(separator: "\n")
        )
        if let expiry { parts.append(expiry.sentence(at: date)) }
        if !files.isEmpty {
            parts.append("Upload the folder so that this page opens:\n" + style.link(page))
        }
        return parts.joined(separator: "\n\n")
    }
}
