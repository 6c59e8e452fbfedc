import Foundation

/// nginx, serving a folder of files, with an upload folder `/dav/`.
struct Nginx {
    let bench: Workbench
    let materials: Materials
    let site: String

    /// Writes its configuration, and returns its command line.
    func command(port: Int) throws -> [String] {
        try bench.write(settings(port), to: "nginx.conf")
        return ["nginx", "-p", bench.folder, "-c", bench.path("nginx.conf")]
            + ["-e", bench.path("nginx-error.log")]
    }

    /// Configured as a careful administrator would, and with an access log, as `ota` has one.
    private func settings(_ port: Int) -> String {
        """
        daemon off;
        \(getuid() == 0 ? "user root;" : "")
        worker_processes auto;
        worker_rlimit_nofile 8192;
        pid \(bench.path("nginx.pid"));
        error_log \(bench.path("nginx-error.log"));
        events { worker_connections 4096; }
        http {
            default_type application/octet-stream;
            types { text/html html; text/xml plist; application/json json; }
            access_log \(bench.path("nginx-access.log")) combined buffer=64k flush=1s;
            sendfile on;
            tcp_nopush on;
            keepalive_requests 1000000000;
            open_file_cache max=100;
            client_body_temp_path \(bench.path("nginx-body"));
            proxy_temp_path \(bench.path("nginx-proxy"));
            fastcgi_temp_path \(bench.path("nginx-fastcgi"));
            uwsgi_temp_path \(bench.path("nginx-uwsgi"));
            scgi_temp_path \(bench.path("nginx-scgi"));
            server {
                listen 127.0.0.1:\(port) ssl backlog=4096;
                ssl_certificate \(materials.certificate);
                ssl_certificate_key \(materials.privateKey);
                ssl_protocols TLSv1.3;
                ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256;
                root \(site);
                location /dav/ {
                    root \(bench.folder);
                    dav_methods PUT;
                    create_full_put_path on;
                    client_max_body_size 0;
                }
            }
        }
        """
    }
}
