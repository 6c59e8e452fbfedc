import Bundles
import Cryptography
package import Foundation
package import Identifiers
package import Inspection
package import Releases

/// The result of a publish, as JSON: of `ota publish --json`, on a store and on a server, and of an
/// upload.
package struct PublishDocument: Codable, Sendable {
    private var schema = 1
    package let app, release, version, build, channel, sha256: String
    /// As the release has them, whatever was said of the same bytes later.
    @OrNull package var tag: String?
    @OrNull package var commit: String?
    /// False for the same bytes again.
    package let created: Bool
    /// Whether the channel offers it; something else may have been published there since.
    package let offered: Bool?
    /// When the channel ends; nil for one that lasts, and from older servers.
    package let channelEnds: Date?
    package let url, manifestURL, ipaURL: String
    @OrNull private var installsUntil: Date?
    @OrNull private var installsUntilBecause: ExpiryDocument?
    /// How many of the devices in use can install it.
    package let devices: RegisterCount
    /// As the server judged it, which compares it with what it has.
    package let findings: [FindingDocument]
    /// Remarks on publishing the same bytes again; nil if there are none.
    package let remarks: [String]?
    /// True where the build was only checked, and nothing was published; nil otherwise.
    package var checkOnly: Bool?
    /// What `publish --symbols` came to; nil without it.
    package var symbols: PublishedSymbolsEntry?

    package init(
        _ release: Release,
        channel: ChannelName,
        isCreated: Bool,
        isOffered: Bool?,
        channelEnds: Date?,
        at addresses: PublishAddresses,
        report: InspectionReport,
        devices: RegisterCount,
        remarks: [String],
    ) {
        app = release.bundleIdentifier.rawValue
        self.release = release.identifier.rawValue
        version = release.version
        build = release.build
        self.channel = channel.rawValue
        // Of what was published, also where the release was signed again since.
        sha256 = report.identity.sha256.description
        tag = release.tag
        commit = release.commit
        created = isCreated
        offered = isOffered
        self.channelEnds = channelEnds
        url = addresses.page
        manifestURL = addresses.manifest
        ipaURL = addresses.archive
        let expiry = report.expiries.first
        installsUntil = expiry?.date
        installsUntilBecause = expiry.map(ExpiryDocument.init)
        self.devices = devices
        findings = report.findings.map { FindingDocument($0) }
        self.remarks = remarks.isEmpty ? nil : remarks
    }
}

/// The dSYMs that were kept with a build that was published.
package struct PublishedSymbolsEntry: Codable, Equatable, Sendable {
    /// The names of those that the release has now, and of those among them that are new.
    package let kept, added: [String]
    /// The names of those that belong to no program of the build and were left out.
    package let unmatched: [String]
    /// The programs without a dSYM, by their paths.
    package let missing: [String]

    /// - Parameters:
    ///   - document: the dSYMs of the release; nil where none was kept.
    ///   - unmatched: the names of those that were left out.
    package init(_ document: SymbolsDocument?, unmatched: [String]) {
        kept = document?.symbols.map(\.name) ?? []
        added = document?.added ?? []
        self.unmatched = unmatched
        missing = document?.programs.filter { !$0.hasSymbols }.map(\.path) ?? []
    }
}

/// Where a published build is reached.
package struct PublishAddresses: Sendable {
    package let page: String
    package let manifest: String
    package let archive: String

    package init(page: String, manifest: String, archive: String) {
        self.page = page
        self.manifest = manifest
        self.archive = archive
    }
}
