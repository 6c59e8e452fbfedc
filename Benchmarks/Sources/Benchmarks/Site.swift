import Foundation

/// What is asked of all servers, by path; the peers have the bytes that ours gave as files.
struct Site {
    let store: String
    let folder: String
    /// Paths on our server.
    let archive: String
    let page: String
    let manifest: String
    /// What a copy of an earlier version asks for at each start.
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

    /// The path of a small answer as the peers have it.
    func file(of path: String) -> String {
        switch path {
        case page: "/page.html"
        case update: "/update.json"
        default: "/manifest.plist"
        }
    }

    /// Fetches the small answers from our server into the peers' folder.
    func copySmallAnswers(from server: Server, on bench: Workbench) throws {
        for path in [page, manifest, update] {
            try bench.run(
                ["curl", "-sSfk", "-A", Self.phone, "-o", folder + file(of: path)]
                    + [server.url(path)]
            )
        }
    }
}
