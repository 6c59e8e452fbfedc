import Foundation

/// Uploads by CI: a large IPA to the server's disk over TLS 1.3, hashed on the way, compared with nginx's
/// WebDAV, which only stores it; and the memory with many concurrent uploads.
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
        let bytes = Int(try bench.size(of: materials.large))
        let gigabytes = Double(bytes * Self.uploads) / 1e9
        let fields = try authorization()
        return try WebServers.with(bench, materials, site: site) { servers in
            let toOurs = offers(bytes, fields, on: servers.ota)
            let toNginx = ["-o", "/dev/null", servers.nginx.url("/dav/app.ipa")]
            let costs = try bench.rounds.costs([
                { try uploading(to: servers.ota, toOurs, ["-X", "POST"]) },
                { try uploading(to: servers.nginx, toNginx, []) },
                { try digesting() },
            ])
            let one = servers.ota.resident
            let many = try peak(of: servers.ota) {
                try bench.runTogether(
                    Array(repeating: curl(toOurs, ["-X", "POST"]), count: Self.atOnce)
                )
            }
            return lines(ours: costs[0], nginx: costs[1], digest: costs[2], gigabytes) + [
                Comparison(
                    what: "  memory that \(Self.atOnce) at once add",
                    unit: .megabytes,
                    ours: max(0, many - one) / 1e6,
                    figure: .most(64),
                )
            ]
        }
    }

    /// Without CPU instructions for SHA-256, hashing alone takes longer than the goal allows in total; the
    /// line has no goal then.
    private func lines(
        ours: Cost,
        nginx: Cost,
        digest: Cost,
        _ gigabytes: Double,
    ) -> [Comparison] {
        [
            Comparison(
                what: "upload, 200 MB over TLS 1.3, digested and synced; processor time",
                unit: .secondsPerGigabyte,
                ours: ours.processor / gigabytes,
                peer: (
                    "nginx WebDAV, openssl dgst", (nginx.processor + digest.processor) / gigabytes,
                ),
                figure: Self.hasDigestInstructions ? .ratio(0.65) : nil,
            ),
            Comparison(
                what: "  compared with less work: stored, and neither digested nor synced",
                unit: .secondsPerGigabyte,
                ours: ours.processor / gigabytes,
                peer: ("nginx WebDAV", nginx.processor / gigabytes),
            ),
            Comparison(
                what: "  time, one after the other",
                unit: .secondsPerGigabyte,
                ours: ours.wall / gigabytes,
                peer: ("nginx WebDAV", nginx.wall / gigabytes),
            ),
        ]
    }

    private static var hasDigestInstructions: Bool {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        return text.contains(" sha_ni") || text.contains(" sha2")
    }

    /// A file of header fields with a token, which is therefore not in the list of processes.
    private func authorization() throws -> String {
        let token = try bench.token("publish", in: materials.store)
        let secret = try String(contentsOfFile: token, encoding: .utf8)
        try bench.write("Authorization: Bearer \(secret)", to: "fields")
        return bench.path("fields")
    }

    /// An upload that lacks its last byte: all of it is received, hashed and synced, but nothing is
    /// published, as nginx publishes nothing either.
    private func offers(_ bytes: Int, _ fields: String, on server: Server) -> [String] {
        ["-H", "@\(fields)", "-H", "Upload-Complete: ?0", "-H", "Upload-Length: \(bytes + 1)"]
            + ["-o", "/dev/null", server.url("/api/v1/uploads")]
    }

    private func curl(_ words: [String], _ method: [String]) -> [String] {
        ["curl", "-sSfk", "--http1.1", "-H", "Expect:", "-T", materials.large] + method + words
    }

    /// The server's CPU time, and the client's elapsed time.
    private func uploading(
        to server: Server,
        _ words: [String],
        _ method: [String],
    ) throws -> Cost {
        var wall = 0.0
        let processor = try server.processor {
            for _ in 0..<Self.uploads {
                wall += try bench.run(curl(words, method)).cost.wall
                try tidy()
            }
        }
        return Cost(wall: wall, processor: processor, residentPeak: server.resident)
    }

    /// The cost of hashing as many bytes as the uploads have.
    private func digesting() throws -> Cost {
        try (1..<Self.uploads).reduce(try digestingOne()) { sum, _ in sum + (try digestingOne()) }
    }

    private func digestingOne() throws -> Cost {
        try bench.run("openssl", "dgst", "-sha256", materials.large).cost
    }

    /// Deletes the uploaded bytes, and so frees disk space and page cache.
    ///
    /// Both servers then write into recently used memory. The server keeps its records of the uploads.
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

    /// The maximum memory while `body` runs, measured twenty times a second.
    private func peak(of server: Server, while body: () throws -> Void) throws -> Double {
        let watch = ResidentWatch(server.identifier)
        watch.start()
        defer { watch.stop() }
        try body()
        try tidy()
        return watch.stop()
    }
}
