import Cryptography
import Foundation
import TestSupport
import Testing

/// A git host with a certificate of a private authority: `git http-backend` behind TLS, for clients with the
/// token.
struct GitHost: Sendable {
    let port: Int
    let folder: URL
    let authority: URL
    let token: URL

    static let secret = "glpat-3f/9 +8d?e7c6b5a4"
    static let isHere =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
        && FileManager.default.isExecutableFile(atPath: "/usr/lib/git-core/git-http-backend")

    func address(_ path: String) -> String { "https://127.0.0.1:\(port)/\(path)" }

    /// The requests: method, path with query, status, and whether credentials were sent.
    func requests() throws -> [String] {
        try String(contentsOf: folder.appending(path: "requests"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    /// Serves the repositories in `folder` while `body` runs.
    static func run(in folder: URL, _ body: (GitHost) async throws -> Void) async throws {
        let identity = try HostIdentity()
        let pem = folder.appending(path: "githost.pem")
        try Data(identity.pem.utf8).write(to: pem)
        let authority = folder.appending(path: "githost-ca.pem")
        try Data(identity.root.pem.utf8).write(to: authority)
        let token = folder.appending(path: "token")
        try Data((secret + "\n").utf8).write(to: token)
        let server = try Program(path: "/usr/bin/python3").start(
            ["-c", script, pem.path(), secret],
            in: folder,
            errors: folder.appending(path: "githost.log"),
        )
        defer { server.send(SIGKILL) }
        let port = try #require(await server.line().flatMap { Int($0) })
        try await body(GitHost(port: port, folder: folder, authority: authority, token: token))
    }

    /// Requires the token, with any user name, for everything except `/public/`, as GitLab and others do;
    /// `/elsewhere/` redirects to plain HTTP.
    private static let script = """
        import base64, http.server, os, ssl, subprocess, sys, urllib.parse
        log = open('requests', 'a', buffering=1)
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'
            def log_message(self, *arguments): pass
            def answer(self, status, fields=(), body=b''):
                came = 'with' if self.headers.get('Authorization') else 'without'
                log.write(f'{self.command} {self.path} {status} {came}\\n')
                self.send_response(status)
                for name, value in fields: self.send_header(name, value)
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def do_GET(self):
                body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
                if self.headers.get('Transfer-Encoding') == 'chunked':
                    while (size := int(self.rfile.readline(), 16)):
                        body += self.rfile.read(size); self.rfile.readline()
                    self.rfile.readline()
                path, _, query = self.path.partition('?')
                if path.startswith('/elsewhere/'):
                    return self.answer(302, [('Location', 'http://127.0.0.1:1' + self.path)])
                if not path.startswith('/public/'):
                    kind, _, code = self.headers.get('Authorization', '').partition(' ')
                    given = base64.b64decode(code).decode().partition(':')[2] if kind == 'Basic' else ''
                    if given != sys.argv[2]:
                        return self.answer(401, [('WWW-Authenticate', 'Basic realm=\\"git\\"')])
                environment = {
                    'PATH': os.environ['PATH'], 'GIT_PROJECT_ROOT': os.getcwd(),
                    'GIT_HTTP_EXPORT_ALL': '1', 'GIT_CONFIG_COUNT': '1',
                    'GIT_CONFIG_KEY_0': 'safe.directory', 'GIT_CONFIG_VALUE_0': '*',
                    'REQUEST_METHOD': self.command, 'QUERY_STRING': query,
                    'PATH_INFO': path.replace('/public/', '/', 1),
                    'CONTENT_TYPE': self.headers.get('Content-Type', ''),
                    'CONTENT_LENGTH': str(len(body)), 'REMOTE_ADDR': '127.0.0.1',
                    'HTTP_CONTENT_ENCODING': self.headers.get('Content-Encoding', ''),
                    'GIT_PROTOCOL': self.headers.get('Git-Protocol', ''),
                }
                made = subprocess.run(
                    ['git', 'http-backend'], input=body, env=environment, capture_output=True)
                head, _, body = made.stdout.partition(b'\\r\\n\\r\\n')
                fields = [tuple(line.split(': ', 1)) for line in head.decode().split('\\r\\n') if line]
                status = next((int(v.split()[0]) for n, v in fields if n == 'Status'), 200)
                self.answer(status, [(n, v) for n, v in fields if n != 'Status'], body)
            do_POST = do_GET
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_port, flush=True)
        server.serve_forever()
        """
}
