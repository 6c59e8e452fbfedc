import Bundles
import Cryptography
package import Foundation
import Inspection
package import Publishing
package import Releases

/// What a publish came to, as JSON: of `ota publish --json` and of an upload.
package struct PublishDocument: Encodable, Sendable {
    private let schema = 1
    private let app, release, version, build, channel, sha256: String
    /// False for the same bytes again.
    package let created: Bool
    private let url, manifestURL, ipaURL: String
    @OrNull private var installsUntil: Date?
    @OrNull private var installsUntilBecause: ExpiryDocument?
    private let devices: Devices
    private let findings: [FindingDocument]

    /// How many of the devices in use can install it.
    private struct Devices: Encodable {
        let registered, canInstall: Int
    }

    /// Judges the build for the devices of `register`, as of `date`.
    package init(
        of published: PublishedBuild,
        at addresses: PublishAddresses,
        for register: DeviceRegister,
        at date: Date,
    ) {
        let release = published.release
        app = release.bundleIdentifier.rawValue
        self.release = release.identifier.rawValue
        version = release.version
        build = release.build
        channel = release.channel.rawValue
        sha256 = release.sha256.description
        created = published.isCreated
        url = addresses.page
        manifestURL = addresses.manifest
        ipaURL = addresses.archive
        let expiry = published.report.expiries.first
        installsUntil = expiry?.date
        installsUntilBecause = expiry.map(ExpiryDocument.init)
        let active = register.active
        devices = Devices(
            registered: active.count,
            canInstall: active.count {
                published.report.verdict(for: $0.facts, at: date).verdict != .blocked
            },
        )
        findings = published.report.findings.map { FindingDocument($0) }
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
