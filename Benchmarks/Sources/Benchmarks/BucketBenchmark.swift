import Foundation

/// Publishes a large build to a bucket of SeaweedFS, compared with programs that only upload it: `aws s3 cp`,
/// which stores it by S3 as `ota` does, and SeaweedFS's own client, which bypasses S3 and its folders.
struct BucketBenchmark: Benchmark {
    static let name = "bucket"

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    func measure() throws -> [Comparison] {
        let engine = try SeaweedFS(on: bench)
        defer { engine.stop() }
        guard bench.finds("aws") else {
            throw BenchmarkFailure.usage("there is no program aws; scripts/bench installs it")
        }
        let costs = try bench.rounds.costs([
            {
                sync()
                let store = "s3://\(SeaweedFS.bucket)/\(UUID().uuidString)"
                let words = bench.publishing(materials.large, into: store)
                return try bench.run(engine.environment + words).cost
            },
            {
                sync()
                return try bench.run("weed", "upload", "-master=" + engine.master, materials.large)
                    .cost
            },
            {
                sync()
                let copy = "s3://\(SeaweedFS.bucket)/\(UUID().uuidString).ipa"
                let words = ["aws", "--endpoint-url", engine.endpoint, "s3", "cp", "--quiet"]
                return try bench.run(engine.environment + words + [materials.large, copy]).cost
            },
        ])
        return Comparison.lines(
            "publish into a bucket, 200 MB IPA",
            in: .seconds,
            ours: costs[0],
            peer: ("aws s3 cp", costs[2]),
            figure: .ratio(1.3),
        )
            + Comparison.lines(
                "publish into a bucket, 200 MB IPA: the same",
                in: .seconds,
                ours: costs[0],
                peer: ("weed upload", costs[1]),
                figure: .ratio(1.3),
            ) + [.memory(of: costs[0])]
    }
}

/// SeaweedFS in a single process, with a bucket.
private struct SeaweedFS {
    static let bucket = "builds"
    private static let key = "bench"
    private static let secret = "of this run alone"

    private let bench: Workbench
    private let process: ChildProcess
    let endpoint: String
    /// Host and port of the master, followed by its gRPC port.
    let master: String

    init(on bench: Workbench) throws {
        guard bench.finds("weed") else {
            throw BenchmarkFailure.usage("there is no program weed; scripts/tools installs it")
        }
        self.bench = bench
        try bench.write(
            """
            {"identities": [{"name": "bench", "actions": ["Admin", "Read", "Write", "List"],
            "credentials": [{"accessKey": "\(Self.key)", "secretKey": "\(Self.secret)"}]}]}
            """,
            to: "identities.json",
        )
        let data = bench.path("weed")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let names = [
            "master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port",
            "filer.port.grpc", "s3.port", "s3.port.grpc", "s3.port.lance",
        ]
        let ports = try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try FreePort.number()) }
        )
        master = "127.0.0.1:\(ports["master.port"] ?? 0).\(ports["master.port.grpc"] ?? 0)"
        endpoint = "http://127.0.0.1:\(ports["s3.port"] ?? 0)"
        process = try bench.start(
            ["weed", "server", "-dir=" + data, "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-filer"]
                + ["-s3", "-s3.port.iceberg=0", "-s3.config=" + bench.path("identities.json")]
                + ["-master.telemetry=false", "-volume.max=20", "-master.volumeSizeLimitMB=1024"]
                + names.map { "-\($0)=\(ports[$0] ?? 0)" },
            output: bench.path("weed.log"),
        )
        for _ in 0..<300 {
            let made = try? bench.run(
                ["curl", "-sf", "--aws-sigv4", "aws:amz:us-east-1:s3", "-X", "PUT"]
                    + ["--user", "\(Self.key):\(Self.secret)", endpoint + "/" + Self.bucket]
            )
            guard made == nil else { return }
            Thread.sleep(forTimeInterval: 0.2)
        }
        throw BenchmarkFailure.unexpected(
            program: "weed",
            output: (try? String(contentsOfFile: bench.path("weed.log"), encoding: .utf8)) ?? "",
        )
    }

    /// The command `env` with the variables for the store, to be put in front of a command.
    var environment: [String] {
        [
            "env", "AWS_ACCESS_KEY_ID=" + Self.key, "AWS_SECRET_ACCESS_KEY=" + Self.secret,
            "OTA_STORE_ENDPOINT=" + endpoint, "OTA_STORE_PLAIN_TEXT=1",
            "AWS_DEFAULT_REGION=us-east-1", "OTA_SPOOL=" + bench.path("spool"),
        ]
    }

    func stop() {
        bench.end(process)
        try? bench.remove("weed")
    }
}
