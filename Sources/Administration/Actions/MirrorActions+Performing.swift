package import APIDocuments
import Access
import Addresses
import Foundation
import GitRepositories
import Identifiers
import MirrorBuilds
import Mirrors
import Notices
import Runners
import Store

extension Actions {
    static let mirrors: [any PerformedAction.Type] = [
        ListMirrors.self, AddMirror.self, ShowMirror.self, ChangeMirror.self, RemoveMirror.self,
        AskForSync.self,
    ]
}

extension ListMirrors: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> MirrorsDocument {
        let mirrors = try administration.admin.store.mirrors().mirrors
        return MirrorsDocument(mirrors: try mirrors.map(administration.document))
    }
}

extension AddMirror: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> MirrorEntryDocument {
        guard let name = Slug(content.name) else { throw MirrorRefusal.badName(content.name) }
        let settings = content.settings
        let allowsPrivate = administration.allowsPrivate(content.allowPrivate)
        try check(settings, allowsPrivate: allowsPrivate)
        let now = administration.admin.clock().timeIntervalSince1970.rounded(.down)
        var mirror = Mirror(
            name: name,
            address: try MirrorAddress(
                checking: settings.address ?? "",
                allowsFiles: settings.allowFile == true,
            ),
            added: Date(timeIntervalSince1970: now),
            by: administration.admin.name,
            tags: Mirror.defaultTags,
            branches: Mirror.defaultBranches,
        )
        try settings.apply(to: &mirror)
        mirror.isPublicOnly = allowsPrivate.map { !$0 }
        var secrets = MirrorSecrets()
        try settings.secrets?.apply(to: &secrets)
        // A runner may build for the mirrors it was given, and not for a later mirror of the same name.
        if try administration.admin.store.mirrors()[name] == nil {
            try administration.admin.store.forgetRunners(of: name)
        }
        try administration.mirrorActions().add(mirror, secrets: secrets)
        return MirrorEntryDocument(mirror: try administration.document(mirror))
    }
}

extension ShowMirror: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> MirrorDetailDocument {
        let store = administration.admin.store
        let mirror = try store.mirror(named: mirror)
        let runs = try store.runs(of: mirror.name, count: LocalAdministration.shownBuilds)
        return MirrorDetailDocument(
            mirror: try administration.document(mirror),
            builds: try runs.map(administration.admin.document),
        )
    }
}

extension ChangeMirror: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> MirrorEntryDocument {
        let store = administration.admin.store
        let mirror = try store.mirror(named: mirror)
        let change = content.settings
        let allowsPrivate = administration.allowsPrivate(content.allowPrivate)
        try check(change, allowsPrivate: allowsPrivate)
        var changed = mirror
        try change.apply(to: &changed)
        // The permission applies until an admin sets another address without it.
        if change.address != nil || allowsPrivate == true {
            changed.isPublicOnly = allowsPrivate.map { !$0 }
        }
        var secrets = try store.secrets(of: mirror.name)
        // A bare token is for the address's server, and must not be sent to another one.
        if change.secrets?.passwords == nil, secrets.hasTokenAlone, let old = mirror.address.server,
            changed.address.server != old
        {
            throw MirrorRefusal.badCredential(
                "the mirror's token is for \(old), and the new address is on another server",
                "give a token for the new server too, or remove the token",
            )
        }
        try change.secrets?.apply(to: &secrets)
        let kept = secrets
        try administration.mirrorActions().change(
            mirror,
            to: changed,
            secrets: change.secrets == nil ? nil : { $0 = kept },
        )
        return MirrorEntryDocument(mirror: try administration.document(changed))
    }
}

extension RemoveMirror: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RemovedMirrorDocument {
        let mirror = try administration.admin.store.mirror(named: mirror)
        try administration.mirrorActions().remove(mirror)
        try administration.admin.store.forgetRunners(of: mirror.name)
        return RemovedMirrorDocument(removed: mirror.name.rawValue)
    }
}

extension AskForSync: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> SyncRequestDocument {
        let number = try administration.mirrorActions().askForSync(of: mirror)
        let asked = try administration.admin.store.mirror(named: mirror)
        return SyncRequestDocument(sync: number, mirror: try administration.document(asked))
    }
}

extension LocalAdministration {
    /// The number of builds that a mirror's document contains.
    fileprivate static let shownBuilds = 20

    fileprivate func document(_ mirror: Mirror) throws -> MirrorDocument {
        MirrorDocument(
            mirror,
            try admin.store.mirrorState(mirror.name),
            try admin.store.secrets(of: mirror.name),
            runs: try admin.store.runs(of: mirror.name, count: Self.shownBuilds),
        )
    }

    /// Whether the admin allowed addresses inside the server's network.
    ///
    /// If nothing was said, a remote caller is refused; on the machine itself no permission is needed.
    fileprivate func allowsPrivate(_ said: Bool?) -> Bool? {
        said ?? (holder.isLocal ? nil : false)
    }
}

/// Refuses an address inside the server's network, unless a remote caller has explicitly allowed it.
///
/// A local user may give any address. A host name is checked by its addresses when it is fetched.
private func check(_ change: MirrorChange, allowsPrivate: Bool?) throws {
    try change.check()
    guard let allowsPrivate, let text = change.address,
        let host = try MirrorAddress(checking: text, allowsFiles: change.allowFile == true).host
    else { return }
    let scope = AddressScope(ofHost: host)
    guard scope.isAllowed(private: allowsPrivate) else {
        throw GitFailure.insideAddress(scope.reason)
    }
}

extension AddressScope {
    /// Judged from the text alone, by the rules for webhooks; an ambiguous spelling is never allowed.
    fileprivate init(ofHost host: String) {
        switch try? WebhookURL(checking: "https://\(host)/").host {
        case .address(let address): self = address.scope
        // RFC 6761, section 6.3.
        case .name(let name) where name == "localhost" || name.hasSuffix(".localhost"):
            self = .near("this machine")
        case .name: self = .everybody
        case .mail, nil: self = .never("written in an ambiguous form")
        }
    }
}
