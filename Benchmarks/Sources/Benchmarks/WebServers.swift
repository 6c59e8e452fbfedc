import Foundation

/// The servers of a comparison, with the same certificate and content.
struct WebServers {
    let ota: Server
    let nginx: Server
    /// Nil if it is not installed.
    let caddy: Server?

    /// Runs all servers with a site while `body` runs.
    static func with<Value>(
        _ bench: Workbench,
        _ materials: Materials,
        site: Site,
        _ body: (WebServers) throws -> Value,
    ) throws -> Value {
        let nginx = Nginx(bench: bench, materials: materials, site: site.folder)
        let caddy = Caddy(bench: bench, materials: materials, site: site.folder)
        var running: [Server] = []
        defer { for server in running { server.stop() } }
        func start(_ name: String, _ words: (Int) throws -> [String]) throws -> Server {
            let server = try Server(on: bench, named: name, words)
            running.append(server)
            return server
        }
        let servers = WebServers(
            ota: try start("ota") { bench.serving(site.store, with: materials, on: $0) },
            nginx: try start("nginx", nginx.command),
            caddy: caddy.isInstalled ? try start("caddy", caddy.command) : nil,
        )
        return try body(servers)
    }
}

extension Workbench {
    /// The command line of the `ota` server.
    func serving(_ store: String, with materials: Materials, on port: Int) -> [String] {
        [ota, "serve", "--store", store, "--host", "127.0.0.1", "--port", "\(port)", "--no-plain"]
            + ["--base-url", "https://127.0.0.1:\(port)"]
            + ["--certificate", materials.certificate, "--private-key", materials.privateKey]
    }
}
