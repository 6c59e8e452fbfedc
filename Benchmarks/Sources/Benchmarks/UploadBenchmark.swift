import Foundation

/// CI: a large IPA onto the server's disk over TLS 1.3, digested on the way, against nginx's WebDAV,
/// which only stores; and memory with many at once.
struct UploadBenchmark: Benchmark {
    static let name = "uploads"
    private static let uploads = 4
    private static let atOnce = 20

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    func measure() throws -> [Comparison] {
        let site = try Site(on: bench, of: materials.published, in: materials.store)
        let bytes = try size(of: materials.large)
        let gigabytes = Double(bytes * Self.uploads) / 1e9
        let fields = try authorization()
        return try WebServers.with(bench, materials, site: site) { servers in
            let toOurs = offers(bytes, fields, on: servers.ota)
            let toNginx = ["-o", "/dev/null", servers.nginx.url("/dav/app.ipa")]
            let medians = try bench.rounds.medians([
                { try self.processor(of: servers.ota, toOurs, ["-X", "POST"]) / gigabytes },
                { try self.processor(of: servers.nginx, toNginx, []) / gigabytes },
                { try digesting() / gigabytes },
            ])
            let (ours, nginx, digest) = (medians[0], medians[1], medians[2])
            let wall = try bench.rounds.medians(
                ours: { try seconds(toOurs, ["-X", "POST"]) / gigabytes },
                peer: { try seconds(toNginx, []) / gigabytes },
            )
            let one = servers.ota.resident
            let many = try peak(of: servers.ota) {
                try bench.runTogether(
                    Array(repeating: curl(toOurs, ["-X", "POST"]), count: Self.atOnce)
                )
            }
            return [
                Comparison(
                    what: "upload, 200 MB over TLS 1.3, digested; processor time",
                    unit: .secondsPerGigabyte,
                    ours: ours,
                    peer: ("nginx WebDAV", nginx),
                    figure: .ratio(0.7),
                ),
                Comparison(
                    what: "  the same work: stored and digested",
                    unit: .secondsPerGigabyte,
                    ours: ours,
                    peer: ("nginx WebDAV, openssl dgst", nginx + digest),
                ),
                Comparison(
                    what: "  time, one after the other",
                    unit: .secondsPerGigabyte,
                    ours: wall.ours,
                    peer: ("nginx WebDAV", wall.peer),
                ),
                Comparison(
                    what: "  memory that \(Self.atOnce) at once add",
                    unit: .megabytes,
                    ours: max(0, many - one) / 1e6,
                    figure: .most(64),
                ),
            ]
        }
    }

    private func size(of path: String) throws -> Int {
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size]
        guard let bytes = size as? Int else {
            throw BenchmarkFailure.unexpected(program: "stat", output: path)
        }
        return bytes
    }

    /// A file of header fields with a token in it, which no list of processes shows.
    private func authorization() throws -> String {
        let output = try bench.run(
            bench.ota,
            "tokens",
            "create",
            "--name",
            "bench-\(UUID().uuidString.prefix(8))",
            "--scope",
            "publish",
            "--store",
            materials.store,
        ).output
        guard
            let secret = output.split(whereSeparator: \.isWhitespace).first(where: {
                $0.hasPrefix("ota_")
            })
        else {
            throw BenchmarkFailure.unexpected(program: "ota tokens create", output: output)
        }
        try bench.write("Authorization: Bearer \(secret)\n", to: "fields")
        return bench.path("fields")
    }

    /// An upload that lacks its last byte: all of it is received, digested and synced, and nothing is
    /// published, as nginx publishes nothing.
    private func offers(_ bytes: Int, _ fields: String, on server: Server) -> [String] {
        ["-H", "@\(fields)", "-H", "Upload-Complete: ?0", "-H", "Upload-Length: \(bytes + 1)"]
            + ["-o", "/dev/null", server.url("/api/v1/uploads")]
    }

    private func curl(_ words: [String], _ method: [String]) -> [String] {
        ["curl", "-sSfk", "--http1.1", "-H", "Expect:", "-T", materials.large] + method + words
    }

    private func processor(
        of server: Server,
        _ words: [String],
        _ method: [String],
    ) throws -> Double {
        try server.processor {
            for _ in 0..<Self.uploads {
                try bench.run(curl(words, method))
                try tidy()
            }
        }
    }

    /// What it takes to digest as many bytes as the uploads have.
    private func digesting() throws -> Double {
        var seconds = 0.0
        for _ in 0..<Self.uploads {
            seconds += try bench.run("openssl", "dgst", "-sha256", materials.large).processor
        }
        return seconds
    }

    private func seconds(_ words: [String], _ method: [String]) throws -> Double {
        var seconds = 0.0
        for _ in 0..<Self.uploads {
            seconds += try bench.run(curl(words, method)).wall
            try tidy()
        }
        return seconds
    }

    /// Frees the disk, and the memory that holds what it holds.
    ///
    /// Both servers then write into memory that was in use just now. The bytes go, while the server
    /// keeps their records.
    private func tidy() throws {
        try remove(".upload", in: materials.store + "/incoming")
        try remove(".ipa", in: bench.path("dav"))
    }

    private func remove(_ suffix: String, in folder: String) throws {
        let files = FileManager.default
        guard files.fileExists(atPath: folder) else { return }
        for name in try files.contentsOfDirectory(atPath: folder) where name.hasSuffix(suffix) {
            try files.removeItem(atPath: folder + "/" + name)
        }
    }

    /// The most that was resident while `body` ran, looked at twenty times a second.
    private func peak(of server: Server, while body: () throws -> Void) throws -> Double {
        let watch = ResidentWatch(server.identifier)
        watch.start()
        defer { watch.stop() }
        try body()
        try tidy()
        return watch.stop()
    }
}
