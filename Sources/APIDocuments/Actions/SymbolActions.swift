import Access
package import Identifiers

/// Lists the dSYMs of a release, and the executables that have none.
package struct ListSymbols: Action {
    package typealias Answer = SymbolsDocument
    package static let route = ActionRoute(
        .get,
        "/apps/{app}/releases/{release}/symbols",
        .onApp(.read),
    )

    package let app: String
    package let release: String

    package init(of release: String, of app: String) {
        self.app = app
        self.release = release
    }
}

/// Removes a dSYM, given by the UUID of one of its slices.
package struct RemoveSymbols: Action {
    package typealias Answer = SymbolsDocument
    package static let route = ActionRoute(
        .delete,
        "/apps/{app}/releases/{release}/symbols/{uuid}",
        .onApp(.publish),
    )

    package let app: String
    package let release: String
    package let uuid: String

    package init(_ uuid: ImageUUID, of release: String, of app: String) {
        self.app = app
        self.release = release
        self.uuid = "\(uuid)"
    }
}

/// Finds the dSYMs with the given UUIDs in all apps that the token may read; one per UUID.
package struct FindSymbols: Action {
    package typealias Answer = FoundSymbolsDocument
    package static let route = ActionRoute(.get, "/symbols", .anyToken, query: [.text("uuids")])
    /// The most UUIDs in one request.
    package static let limit = 100

    /// The UUIDs, separated by commas; nil, which the server rejects, if the query has none.
    package let uuids: String?

    package init(of uuids: some Sequence<ImageUUID>) {
        self.uuids = uuids.map { "\($0)" }.joined(separator: ",")
    }
}
