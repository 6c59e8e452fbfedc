import Foundation

/// The inputs of the benchmarks: builds, a certificate, and a store with one large release.
struct Materials {
    /// An incompressible IPA of 200 MB.
    let large: String
    /// An IPA of 100 MB with 200 MB of files, half of them machine code, as in real apps.
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
        try bench.makeAuthority()
        large = try bench.sample("large", ["--megabytes", "200"])
        let code = try bench.writeMachineCode(Self.sizes, to: "code")
        realistic = try bench.sample(
            "realistic",
            ["--megabytes", "48"] + code.flatMap { ["--resource", $0] },
        )
        store = bench.path("store")
        published = try bench.publish(large, into: store)
    }

    /// All clients offer only one cipher suite, so that no server chooses a cheaper one.
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

    /// The sizes of typical files in an app: its executable, frameworks, and many small files.
    private static let sizes =
        [56, 24, 16, 16, 12, 8, 8].map { $0 << 20 } + Array(repeating: 1 << 17, count: 64)
}

/// The output of `ota publish --json`, as far as it is needed here.
struct Publication: Decodable {
    let app: String
    let url: String
    let manifestURL: String
    let ipaURL: String

    /// The path of a URL, which is the same on any server.
    static func path(of url: String) -> String { URL(string: url)?.path() ?? "/" }
}

extension Workbench {
    /// Makes a build that is signed by the run's authority.
    func sample(_ name: String, _ options: [String] = []) throws -> String {
        let output = path(name + ".ipa")
        try run([ota, "sample", "--output", output, "--authority", authorityKeys] + options)
        return output
    }

    /// Creates the authority that signs all builds of the run.
    func makeAuthority() throws {
        try run(ota, "sample", "--output", path("first.ipa"), "--save-keys")
    }

    var authority: String { path("first-authority.pem") }
    var authorityKeys: String { path("first-authority-keys.pem") }

    func publish(_ build: String, into store: String) throws -> Publication {
        let answer = try run(publishing(build, into: store)).output
        guard
            let publication = try? JSONDecoder().decode(Publication.self, from: Data(answer.utf8))
        else { throw BenchmarkFailure.unexpected(program: "ota publish", output: answer) }
        return publication
    }

    /// The command line of a publish.
    func publishing(_ build: String, into store: String) -> [String] {
        [ota, "publish", build, "--store", store, "--trusted-ca", authority, "--json"]
            + ["--base-url", "https://127.0.0.1:8443"]
    }
}
