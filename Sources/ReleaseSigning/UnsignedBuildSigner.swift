import Bundles
import Bytes
package import Cryptography
package import Essentials
package import Identifiers
import Inspection
import Publishing
package import Releases
import Sandboxing
import Signing
package import Store

/// Signs unsigned builds of apps for which automatic signing is enabled.
package struct UnsignedBuildSigner: Sendable {
    private let store: OTAStore
    private let signer: (any BuildSigner)?
    private let anchors: TrustAnchors

    /// - Parameters:
    ///   - store: the store with apps and teams.
    ///   - signer: creates the signatures; nil when this machine cannot sign.
    ///   - anchors: the trusted authorities for profiles.
    package init(
        _ store: OTAStore,
        by signer: (any BuildSigner)?,
        trusting anchors: TrustAnchors,
    ) {
        self.store = store
        self.signer = signer
        self.anchors = anchors
    }

    /// The team and profiles with which a build was signed.
    package struct Signed: Sendable {
        package let team: String
        /// The names of the profiles, the app's own first.
        package let profiles: [String]
    }

    /// Signs the app in an archive.
    ///
    /// - Parameters:
    ///   - input: an unsigned IPA; an absolute path.
    ///   - output: the signed IPA to write; an absolute path.
    ///   - files: the entitlements of its bundles, unless the build contains them.
    ///   - date: the signing time.
    /// - Returns: the team and profiles; if it throws, there is no file at `output`.
    /// - Throws: ``ReleaseSigningRefusal/manual(app:)`` or ``ReleaseSigningRefusal/noApp(_:)`` for an app
    ///   without automatic signing, other reasons why it cannot be signed, and `StoreFailure`.
    package func sign(
        _ input: String,
        to output: String,
        claiming files: EntitlementFiles = EntitlementFiles(),
        at date: Date,
    ) async throws -> Signed {
        let (team, choice, claims) = try await blocking {
            () throws -> (String, ProfileChoice, [String: [UInt8]]) in
            let report = try Examination(anchors: anchors, date: date)
                .inspect(FileSource(path: input)).report
            let means = try means(of: report, at: date)
            let choice = try ProfileChoice(
                for: report,
                among: means.profiles,
                of: means.team.identifier.rawValue,
                isMadeHere: means.team.account?.isActive ?? false,
                signedBy: means.team.identity?.sha256,
                at: date,
            )
            return (means.team.identifier.rawValue, choice, files.claims(of: report))
        }
        guard let signer else { throw ReleaseSigningRefusal.noSigner }
        try await signer.sign(
            SigningWork(
                input,
                to: output,
                team: team,
                profiles: choice.profiles,
                entitlements: claims,
                at: date,
            )
        )
        return Signed(team: team, profiles: choice.profiles.map(\.facts.name))
    }

    /// Checks that automatic signing is enabled for an app, before anything of a build is read.
    ///
    /// - Parameter identifier: the app's bundle identifier; nil for a build without a valid one.
    /// - Returns: the app.
    /// - Throws: ``ReleaseSigningRefusal/manual(app:)``, ``ReleaseSigningRefusal/noApp(_:)`` and
    ///   `StoreFailure`.
    @discardableResult
    package func requireAutomatic(_ identifier: BundleIdentifier?) throws -> AppRecord {
        guard let identifier else { throw ReleaseSigningRefusal.noApp("BUNDLE-ID") }
        guard let app = try store.app(identifier) else {
            throw ReleaseSigningRefusal.noApp(identifier.rawValue)
        }
        guard app.signing == .automatic else {
            throw ReleaseSigningRefusal.manual(app: identifier.rawValue)
        }
        return app
    }

    private func means(of report: InspectionReport, at date: Date) throws -> SigningMeans {
        let app = try requireAutomatic(report.identity.bundleIdentifier)
        guard let name = app.team else {
            throw ReleaseSigningRefusal.noTeam(app: app.slug.rawValue)
        }
        guard let team = try store.team(name) else { throw TeamRefusal.unknown(name.rawValue) }
        return try SigningMeans(team, in: store, trusting: anchors, at: date)
    }
}
