import Foundation

/// What the benchmarks work on: builds, a certificate, and a store that has one large release.
struct Materials {
    /// An IPA of 200 MB that does not compress.
    let large: String
    /// An IPA of 100 MB with 200 MB in it, half of them machine code, as apps are.
    let realistic: String
    let certificate: String
    let privateKey: String
    /// A store whose only release is ``large``.
    let store: String
    let published: Publication

    init(on bench: Workbench) throws {
        bench.say("preparing certificate and builds")
        try bench.write(Self.openSSLSettings, to: "openssl.cnf")
        certificate = bench.path("certificate.pem")
        privateKey = bench.path("key.pem")
        try bench.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
                + ["-nodes", "-days", "30", "-subj", "/CN=127.0.0.1"]
                + ["-addext", "subjectAltName=IP:127.0.0.1"]
                + ["-addext", "extendedKeyUsage=serverAuth"]
                + ["-keyout", privateKey, "-out", certificate]
        )
        large = try bench.sample("large", ["--megabytes", "200"])
        realistic = try bench.sample(
            "realistic",
            ["--megabytes", "48"] + Self.machineCode(on: bench).flatMap { ["--resource", $0] },
        )
        store = bench.path("store")
        published = try bench.publish(large, into: store)
    }

    /// All clients offer one suite, so that no server picks a cheaper one.
    private static let openSSLSettings = """
        openssl_conf = settings
        [settings]
        ssl_conf = protocols
        [protocols]
        system_default = suites
        [suites]
        MinProtocol = TLSv1.3
        Ciphersuites = TLS_AES_128_GCM_SHA256
        [req]
        distinguished_name = nobody
        [nobody]
        """

    /// Files of the sizes that an app has: its executable, frameworks, and many small ones.
    private static func machineCode(on bench: Workbench) throws -> [String] {
        let megabyte = 1 << 20
        let sizes =
            [56, 24, 16, 16, 12, 8, 8].map { $0 * megabyte }
            + Array(repeating: megabyte / 8, count: 64)
        let code = try FileHandle(forReadingFrom: URL(filePath: bench.ota))
        defer { try? code.close() }
        return try sizes.enumerated().map { index, size in
            let path = bench.path("code-\(index)")
            try copy(size, of: code, to: path)
            return path
        }
    }

    /// Copies what comes next, and begins anew at the end; in pieces, because the kernel counts
    /// this program's peak as the least peak of every program that it starts.
    private static func copy(_ size: Int, of code: FileHandle, to path: String) throws {
        try Data().write(to: URL(filePath: path))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        var remaining = size
        while remaining > 0 {
            let piece = try code.read(upToCount: min(remaining, 1 << 18)) ?? Data()
            if piece.isEmpty { try code.seek(toOffset: 0) }
            try file.write(contentsOf: piece)
            remaining -= piece.count
        }
    }
}

/// What `ota publish --json` answers, as far as it matters here.
struct Publication: Decodable {
    let app: String
    let url: String
    let manifestURL: String
    let ipaURL: String

    /// The address of the same on any server.
    static func path(of url: String) -> String { URL(string: url)?.path() ?? "/" }
}

extension Workbench {
    /// Makes a build, signed by the one authority of the run.
    func sample(_ name: String, _ options: [String] = []) throws -> String {
        let output = path(name + ".ipa")
        let keys = path("first-authority-keys.pem")
        if !FileManager.default.fileExists(atPath: keys) {
            try run(ota, "sample", "--output", path("first.ipa"), "--save-keys")
        }
        try run([ota, "sample", "--output", output, "--authority", keys] + options)
        return output
    }

    var authority: String { path("first-authority.pem") }

    func publish(_ build: String, into store: String) throws -> Publication {
        let answer = try run(publishing(build, into: store)).output
        guard
            let publication = try? JSONDecoder().decode(Publication.self, from: Data(answer.utf8))
        else { throw BenchmarkFailure.unexpected(program: "ota publish", output: answer) }
        return publication
    }

    /// The command line of a publish.
    func publishing(_ build: String, into store: String) -> [String] {
        [ota, "publish", build, "--store", store, "--anchor", authority, "--json"]
            + ["--base-url", "https://127.0.0.1:8443"]
    }
}
