import Bundles
import Cryptography
package import Foundation
package import Identifiers
package import Inspection
package import Releases

/// The result of publishing: of `ota publish --json`, on a store or a server, and of an upload.
package struct PublishDocument: Codable, Sendable {
    private var schema = 1
    package let app, release, version, build, channel, sha256: String
    /// The tag and commit of the release, even if the same bytes were published again with others.
    @OrNull package var tag: String?
    @OrNull package var commit: String?
    /// False if the same bytes had already been published.
    package let created: Bool
    /// Whether the channel offers it; another build may have been published there since.
    package let offered: Bool?
    /// When the channel ends; nil if it does not, and from older servers.
    package let channelEnds: Date?
    package let url, manifestURL, ipaURL: String
    @OrNull private var installsUntil: Date?
    @OrNull private var installsUntilBecause: ExpiryDocument?
    /// How many of the devices in use can install it.
    package let devices: RegisterCount
    /// The findings of the server, which also compares the build with earlier ones.
    package let findings: [FindingDocument]
    /// Remarks on publishing the same bytes again; nil if there are none.
    package let remarks: [String]?
    /// True if the build was only checked and not published; nil otherwise.
    package var checkOnly: Bool?
    /// The result of `publish --symbols`; nil without it.
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
        // The published file, even if the release has been signed again since.
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

/// The dSYMs that were stored with a published build.
package struct PublishedSymbolsEntry: Codable, Equatable, Sendable {
    /// The names of all dSYMs that the release now has, and of the new ones among them.
    package let kept, added: [String]
    /// The names of the dSYMs that match no executable of the build and were left out.
    package let unmatched: [String]
    /// The paths of the executables without a dSYM.
    package let missing: [String]

    /// - Parameters:
    ///   - document: the dSYMs of the release; nil if none was stored.
    ///   - unmatched: the names of the dSYMs that were left out.
    package init(_ document: SymbolsDocument?, unmatched: [String]) {
        kept = document?.symbols.map(\.name) ?? []
        added = document?.added ?? []
        self.unmatched = unmatched
        missing = document?.programs.filter { !$0.hasSymbols }.map(\.path) ?? []
    }
}

/// The URLs of a published build.
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
