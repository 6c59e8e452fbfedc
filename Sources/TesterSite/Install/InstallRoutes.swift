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

/// The files that the phone's installer downloads: the manifest, icons and IPA of one release.
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
        // A release that only some devices may install is checked on every request.
        let isForEverybody = app.admits(ProvenVisitor(passphrase: .onLink), to: release)
        if isForEverybody, target == "/install/\(component)/\(file)" {
            site.answers.keep(answer, for: target, lasting: Site.freshness)
        }
        return answer.response(to: request)
    }

    /// Checks the IPA's digest, so that a damaged IPA is served to no one.
    ///
    /// An IPA in a remote store is checked while it is fetched, which starts now; a small one is fetched
    /// before the phone starts to install.
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

    /// Returns the release that a capability opens, in its current state in the store.
    ///
    /// A link from before the release was re-signed gives a manifest of the newest IPA; a manifest's own
    /// links keep opening the IPA that it describes.
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

    /// Returns what the person may see for whom a link was created; nil if it was created for no
    /// particular person.
    ///
    /// The phone's installer sends no cookies, so the link names the session, and ends with it.
    private func tester(of capability: Capability) async throws -> TesterRight? {
        guard let session = capability.session else { return nil }
        guard let right = try await site.people.testerRight(in: session) else {
            throw Refusal.notForDevice
        }
        return right
    }

    /// Checks that the release may still be installed.
    ///
    /// Refuses a device that was disabled, erased, or removed from the release's groups, and a browser
    /// without a device if the release is now for certain devices only.
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

    /// Returns the manifest.
    ///
    /// Its links have a new capability, so that a manifest fetched in its own link's last minute still
    /// leads to the IPA, but to no other manifest.
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
