package import APIDocuments
import Access
import Cryptography
import Foundation
import Identifiers
import Publishing
package import Releases
import Store

extension Actions {
    static let apps: [any PerformedAction.Type] = [
        ListApps.self, AddApp.self, ShowApp.self, ChangeApp.self, PruneReleases.self,
        ListInstalls.self, ListAllInstalls.self,
    ]
}

extension ListApps: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> AppsDocument {
        let listing = try administration.admin.store.appListing()
        let holder = administration.holder
        let apps = listing.apps.filter {
            $0.isArchived == archived && holder.may(.read, on: $0.bundleIdentifier)
        }
        var rest = apps[...]
        if let after {
            guard let place = apps.firstIndex(where: { $0.bundleIdentifier.rawValue == after })
            else {
                throw BadParameter("after", fix: "give `next` from the previous page")
            }
            rest = apps[(place + 1)...]
        }
        let page = rest.prefix(limit)
        return AppsDocument(
            apps: page.map(AppDescription.init),
            unreadable: listing.failures.filter { holder.may(.read, on: $0.key) }.map(\.value),
            next: page.count < rest.count ? page.last?.bundleIdentifier.rawValue : nil,
        )
    }
}

extension AddApp: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> AppDocument {
        AppDocument(app: AppDescription(try administration.admin.addApp(content)))
    }
}

extension ShowApp: VersionedAction {
    package func perform(
        in administration: LocalAdministration,
        if isExpected: (AppRecord) throws -> Bool,
    ) throws -> (answer: AppDocument, record: AppRecord) {
        let found = try administration.admin.app(named: app)
        return (AppDocument(app: AppDescription(found)), found)
    }
}

extension ChangeApp: VersionedAction {
    package func perform(
        in administration: LocalAdministration,
        if isExpected: (AppRecord) throws -> Bool,
    ) throws -> (answer: AppDocument, record: AppRecord) {
        let admin = administration.admin
        let changed = try admin.changeApp(
            admin.app(named: app).bundleIdentifier,
            content,
            if: isExpected,
        )
        return (AppDocument(app: AppDescription(changed)), changed)
    }
}

extension PruneReleases: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> PruneDocument {
        let admin = administration.admin
        let prune = Prune(
            keep: content.keep,
            dropsOriginals: content.dropsOriginals,
            isDryRun: content.isDryRun,
        )
        let pruned = try admin.prune(admin.app(named: app).bundleIdentifier, prune)
        return PruneDocument(
            removed: pruned.releases.map(\.rawValue),
            files: pruned.files.map { file in
                PruneDocument.File(
                    release: file.release.rawValue,
                    sha256: file.sha256.description,
                    size: file.size,
                    isOriginal: file.isOriginal,
                )
            },
            dryRun: prune.isDryRun,
        )
    }
}

extension ListInstalls: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> InstallsDocument {
        let admin = administration.admin
        return try admin.installs(of: admin.app(named: app).bundleIdentifier, limit, days: days)
    }
}

extension ListAllInstalls: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> InstallsDocument {
        try administration.admin.installs(of: nil, limit, days: days)
    }
}

extension Administrator {
    fileprivate func installs(
        of app: BundleIdentifier?,
        _ limit: Int,
        days: Int,
    ) throws -> InstallsDocument {
        let begin = clock().addingTimeInterval(-Double(days) * 86_400)
        let all = try store.installAttempts(of: app, since: begin)
        let shown = all.suffix(limit).reversed()
        let known = try devicesByReference()
        let names = shown.compactMap(\.device).reduce(into: [:]) { $0[$1] = known[$1]?.name }
        return InstallsDocument(installs: shown.map { InstallEntry($0, names: names) })
    }
}
