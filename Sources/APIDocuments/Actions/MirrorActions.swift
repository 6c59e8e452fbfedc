import Access

// Admins only: anyone who can change what is built can run commands on the server.

/// Lists the mirrors with their latest builds.
package struct ListMirrors: Action {
    package typealias Answer = MirrorsDocument
    package static let route = ActionRoute(.get, "/mirrors", .everywhere(.admin))

    package init() {}
}

/// Adds a mirror, without fetching anything yet.
package struct AddMirror: Action {
    package typealias Answer = MirrorEntryDocument
    package static let route = ActionRoute(
        .post,
        "/mirrors",
        .everywhere(.admin),
        bodyLimit: 512 << 10,
        success: .created,
    )

    package let content: NewMirror

    package init(_ mirror: NewMirror) {
        content = mirror
    }

    package static func location(of answer: MirrorEntryDocument) -> String? {
        "/mirrors/" + answer.mirror.name
    }
}

/// Shows a mirror with its latest builds.
package struct ShowMirror: Action {
    package typealias Answer = MirrorDetailDocument
    package static let route = ActionRoute(.get, "/mirrors/{mirror}", .everywhere(.admin))

    package let mirror: String

    package init(_ mirror: String) {
        self.mirror = mirror
    }
}

/// Changes the settings or the secrets of a mirror.
package struct ChangeMirror: Action {
    package typealias Answer = MirrorEntryDocument
    package static let route = ActionRoute(
        .patch,
        "/mirrors/{mirror}",
        .everywhere(.admin),
        bodyLimit: 512 << 10,
    )

    package let mirror: String
    package let content: MirrorChangeRequest

    package init(_ mirror: String, _ change: MirrorChangeRequest) {
        self.mirror = mirror
        content = change
    }
}

/// Removes a mirror; its releases stay.
package struct RemoveMirror: Action {
    package typealias Answer = RemovedMirrorDocument
    package static let route = ActionRoute(.delete, "/mirrors/{mirror}", .everywhere(.admin))

    package let mirror: String

    package init(_ mirror: String) {
        self.mirror = mirror
    }
}

/// Requests a sync, which a running server starts within a second.
package struct AskForSync: Action {
    package typealias Answer = SyncRequestDocument
    package static let route = ActionRoute(
        .post,
        "/mirrors/{mirror}/sync",
        .everywhere(.admin),
        success: .accepted,
    )

    package let mirror: String

    package init(of mirror: String) {
        self.mirror = mirror
    }
}

extension MirrorChange {
    /// All keys but `allowFile`: a client must not access folders of the server.
    fileprivate static var keys: Set<String> {
        Set(CodingKeys.allCases.filter { $0 != .allowFile }.map(\.rawValue))
    }

    fileprivate static let innerKeys = [
        "secrets": Set(MirrorSecretsChange.CodingKeys.allCases.map(\.rawValue))
    ]
}

extension NewMirror: ActionContent {
    package static var keys: Set<String> { MirrorChange.keys.union(["name", "allowPrivate"]) }
    package static var innerKeys: [String: Set<String>] { MirrorChange.innerKeys }
}

extension MirrorChangeRequest: ActionContent {
    package static var keys: Set<String> { MirrorChange.keys.union(["allowPrivate"]) }
    package static var innerKeys: [String: Set<String>] { MirrorChange.innerKeys }
}
