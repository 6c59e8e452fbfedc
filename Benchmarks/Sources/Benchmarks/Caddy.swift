import Foundation

/// Caddy, serving a folder of files.
struct Caddy {
    let bench: Workbench
    let materials: Materials
    let site: String

    var isInstalled: Bool { bench.finds("caddy") }

    /// Writes its configuration, and returns its command line.
    func command(port: Int) throws -> [String] {
        try bench.write(settings(port), to: "Caddyfile")
        let folders = ["XDG_CONFIG_HOME", "XDG_DATA_HOME"].map { "\($0)=\(bench.path("caddy"))" }
        return ["env"] + folders
            + ["caddy", "run", "--config", bench.path("Caddyfile"), "--adapter", "caddyfile"]
    }

    /// Equivalent to nginx's: one certificate, only TLS 1.3, HTTP/1.1 and an access log.
    private func settings(_ port: Int) -> String {
        """
        {
            admin off
            auto_https off
            servers {
                protocols h1
            }
        }
        https://127.0.0.1:\(port) {
            bind 127.0.0.1
            tls \(materials.certificate) \(materials.privateKey) {
                protocols tls1.3
            }
            root * \(site)
            file_server
            log {
                output file \(bench.path("caddy-access.log"))
            }
        }
        """
    }
}
