import Foundation

/// The paths that are requested from all servers; the peers have `ota`'s responses as files.
struct Site {
    let store: String
    let folder: String
    /// Paths on the `ota` server.
    let archive: String
    let page: String
    let manifest: String
    /// What an installed copy of an earlier version requests at each start.
    let update: String

    static let phone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 "
        + "(KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"

    init(on bench: Workbench, of publication: Publication, in store: String) throws {
        self.store = store
        folder = bench.path("site")
        archive = Publication.path(of: publication.ipaURL)
        page = Publication.path(of: publication.url)
        manifest = Publication.path(of: publication.manifestURL)
        let slug = page.dropFirst("/apps/".count).prefix { $0 != "?" && $0 != "/" }
        update = "/api/v1/apps/\(slug)/update?version=0.1&build=1"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
        )
    }

    /// The peers' path of a small response.
    func file(of path: String) -> String {
        switch path {
        case page: "/page.html"
        case update: "/update.json"
        default: "/manifest.plist"
        }
    }

    /// Saves the small responses of the `ota` server in the peers' folder.
    func copySmallAnswers(from server: Server, on bench: Workbench) throws {
        for path in [page, manifest, update] {
            try bench.run(
                ["curl", "-sSfk", "-A", Self.phone, "-o", folder + file(of: path)]
                    + [server.url(path)]
            )
        }
    }
}
