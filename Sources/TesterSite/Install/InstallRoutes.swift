import Access
import Cryptography
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Logging
import NIOCore
import Releases
import SiteServices
import Store

/// What the phone's installer fetches: manifest, icons and the IPA of one release.
struct InstallRoutes: Sendable {
    let site: Site
    let installs: InstallServices
    let references: DeviceReferences

    /// Answers `GET /install/{capability}/{file}`.
    @Sendable func file(_ request: Request, _ context: RouteContext) async throws -> Response {
        let file = try context.text("file")
        let component = try context.text("capability")
        guard let kind = Kind(file) else { throw Refusal.notFound }
        let capability = try installs.capabilities.verified(component, at: site.now)
        guard kind != .manifest || capability.opensManifest else {
            throw RefusedCapability.notOurs
        }
        let isManifest = kind == .manifest
        let tester = try await tester(of: capability)
        let (release, app) = try release(opening: capability, forManifest: isManifest, tester)
        let device = capability.device
        let address = SignIn(site: site).address(request, context)
        let phone = InstallingPhone(
            release,
            device: device,
            person: tester?.name,
            address: address,
        )
        var answer: CachedResponse
        if kind == .manifest || kind == .archive { try await requireWhole(release) }
        switch kind {
        case .archive:
            guard file == release.archiveName + ".ipa" else { throw Refusal.notFound }
            return try await archive(of: release, for: phone, to: request, context)
        case .manifest:
            answer = try manifest(of: release, for: capability)
            answer.whenGiven = { [tracker = installs.tracker] address in
                tracker.asked(InstallingPhone(release, device: device, address: address))
            }
            if request.method == .get { installs.tracker.asked(phone) }
        case .smallIcon: answer = try await icon(release.icons.small)
        case .largeIcon: answer = try await icon(release.icons.large)
        }
        let target = request.head.path ?? ""
        // What only some devices may install is judged at every request.
        let isForEverybody = app.admits(ProvenVisitor(passphrase: .onLink), to: release)
        if isForEverybody, target == "/install/\(component)/\(file)" {
            site.answers.keep(answer, for: target, lasting: Site.freshness)
        }
        return answer.response(to: request)
    }

    /// Bytes that are not the published ones are served to no one.
    ///
    /// Those of a store elsewhere are compared while they are fetched, which begins now: of a small build
    /// before the phone begins to install.
    private func requireWhole(_ release: Release) async throws {
        let blob = release.sha256
        var isProven = try site.store.isProven(blob)
        if site.store.isElsewhere, installs.downloads != .server, isProven != false { return }
        if site.store.isElsewhere, isProven != false {
            guard release.size <= installs.provenAtOnce else {
                return site.store.prepareFile(of: blob)
            }
            _ = try await site.store.servedFile(of: blob)
            return
        }
        if isProven == nil, release.size <= installs.provenAtOnce {
            let site = site
            isProven = try await site.work { try site.store.prove(release.sha256) }
        }
        guard isProven != false else {
            throw StoreFailure.damagedBlob(release.sha256, path: "blobs/sha256/\(release.sha256)")
        }
    }

    private enum Kind {
        case manifest, smallIcon, largeIcon, archive

        init?(_ file: String) {
            switch file {
            case "manifest.plist": self = .manifest
            case "icon-57.png": self = .smallIcon
            case "icon-512.png": self = .largeIcon
            case _ where file.hasSuffix(".ipa"): self = .archive
            default: return nil
            }
        }
    }

    /// The release that a capability opens, as it stands in the store now.
    ///
    /// A link from before the release was signed again leads to a manifest of the newest IPA; what a
    /// manifest names stays the IPA that it describes.
    private func release(
        opening capability: Capability,
        forManifest isManifest: Bool,
        _ tester: TesterRight?,
    ) throws -> (release: Release, app: AppRecord) {
        guard let release = try site.store.release(capability.release, of: capability.app) else {
            throw Refusal.withdrawn(reason: "")
        }
        if let withdrawal = release.withdrawal {
            throw Refusal.withdrawn(reason: withdrawal.reason)
        }
        guard let app = try site.store.app(capability.app) else {
            throw Refusal.withdrawn(reason: "")
        }
        if app.isOver(release.identifier, at: site.now) {
            throw Refusal.withdrawn(reason: "its channel has ended")
        }
        let opened = capability.opensNewest(of: release) ? release : nil
        guard let meant = isManifest ? opened : capability.opened(release) else {
            throw Refusal.replaced
        }
        try checkAccess(by: capability, tester, to: release, of: app)
        return (meant, app)
    }

    /// What the person may see for whom a link was made; nil where it was made for no one in particular.
    ///
    /// The phone's installer has no cookies, so the link names the session, and ends with it.
    private func tester(of capability: Capability) async throws -> TesterRight? {
        guard let session = capability.session else { return nil }
        guard let right = try await site.people.testerRight(in: session) else {
            throw Refusal.notForDevice
        }
        return right
    }

    /// A device that was taken out of use, erased, or removed from the groups that the release is open
    /// to, installs no more; nor does a browser without a device, if the release has become one for
    /// certain devices only.
    private func checkAccess(
        by capability: Capability,
        _ tester: TesterRight?,
        to release: Release,
        of app: AppRecord,
    ) throws {
        var visitor = ProvenVisitor(passphrase: .onLink, tester: tester)
        if let reference = capability.device {
            let device = references.device(reference, in: try site.store.devices())
            guard let device, device.state != .disabled else { throw Refusal.notForDevice }
            visitor.device = device
        }
        guard app.admits(visitor, to: release) else { throw Refusal.notForDevice }
    }

    /// Its links carry a capability made now, so that a manifest fetched in the last minute of its
    /// own still leads to the IPA, and to no other manifest.
    private func manifest(
        of release: Release,
        for capability: Capability,
    ) throws -> CachedResponse {
        let title = try site.store.app(release.bundleIdentifier)?.title
        let component = installs.capabilities.component(
            for: release,
            device: capability.device,
            session: capability.session,
            opensManifest: false,
            at: site.now,
        )
        let folder = site.links.install(component)
        var urls = folder.manifestURLs(archiveName: release.archiveName)
        switch installs.downloads {
        case .server, .redirect: break
        case .store: urls.archive = try signedAddress(of: release)
        case .network(let base):
            urls.archive = base.rawValue + "/" + site.store.path(of: release.sha256)
        }
        return CachedResponse(
            route: "/install/{capability}/manifest.plist",
            status: .ok,
            fields: ResponseFields.of(type: "text/xml; charset=utf-8", cache: "private, no-store"),
            body: ByteBuffer(bytes: InstallManifest(of: release, titled: title, at: urls).xml()),
        )
    }

    func signedAddress(of release: Release) throws -> String {
        let lifetime = installs.capabilities.lifetime
        guard let address = try site.store.address(of: release.sha256, lasting: lifetime) else {
            throw Refusal.unavailable("the store has no addresses of its own")
        }
        return address
    }

    private func icon(_ digest: SHA256Digest) async throws -> CachedResponse {
        let store = site.store
        let bytes = try await site.work { try store.bytes(of: digest, atMost: 4 << 20) }
        return IconAnswer.make(bytes, digest, route: "/install/{capability}/icon.png")
    }
}
