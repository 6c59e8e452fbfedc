import Foundation
import TestSupport
import Testing

/// A folder in a bucket of a running object store, for the commands of a workplace.
struct BucketPlace: Sendable {
    let place: Workplace
    let endpoint: String
    /// The store's URL, such as `s3://ota-commands/3F2A…`.
    let store: String

    static let bucket = "ota-commands"
    static let isHere = ObjectEngine.Kind.here.contains(.seaweed)

    static let credentials = [
        "AWS_ACCESS_KEY_ID": ObjectEngine.accessKey, "AWS_SECRET_ACCESS_KEY": ObjectEngine.secret,
    ]

    /// The variables with the store's URL, and how to reach it.
    var environment: [String: String] {
        Self.credentials.merging([
            "OTA_STORE": store, "OTA_STORE_ENDPOINT": endpoint, "OTA_STORE_PLAIN_TEXT": "1",
            "OTA_SPOOL": place.path("spool"),
        ]) { $1 }
    }

    /// Runs a test on an engine of its own, or, if that is nil, on the shared one.
    static func run(
        on own: ObjectEngine? = nil,
        _ body: (BucketPlace) async throws -> Void,
    ) async throws {
        let engine: ObjectEngine =
            if let own { own } else { try await ObjectEngine.running(.seaweed) }
        try await Workplace.run { place in
            let bucket = BucketPlace(
                place: place,
                endpoint: engine.url,
                store: "s3://\(bucket)/\(UUID().uuidString)",
            )
            // Another test may have created it already.
            _ = try await bucket.request("PUT", "")
            try await body(bucket)
        }
    }

    /// Sends a request to the object store with a client that shares no code with `ota`.
    func request(_ method: String, _ path: String, _ further: String...) async throws -> String {
        let outcome = try await Program(path: "/usr/bin/curl").run(
            [
                "-sS", "--aws-sigv4", "aws:amz:us-east-1:s3", "--user",
                "\(ObjectEngine.accessKey):\(ObjectEngine.secret)", "-X", method,
                "\(endpoint)/\(Self.bucket)\(path)",
            ] + further,
            in: place.folder,
        )
        try #require(outcome.status == 0, "curl: \(outcome.errors)")
        return outcome.output
    }

    /// The keys in the store.
    func keys() async throws -> [String] {
        let prefix = store.dropFirst("s3://\(Self.bucket)/".count)
        let list = try await request("GET", "?list-type=2&prefix=\(prefix)%2F")
        return list.matches(of: /<Key>(.+?)<\/Key>/).map { String($0.output.1) }
    }

    /// Runs a command on the store, which must exit with 0 and write nothing to standard error.
    @discardableResult
    func json(
        _ arguments: String...,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) async throws -> JSON {
        let outcome = try await place.ota(arguments + ["--json"], environment: environment)
        #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.errors.isEmpty, "\(outcome.errors)", sourceLocation: sourceLocation)
        return try JSON(outcome.output)
    }

    /// Runs a command that must be refused, with other environment variables, and returns the error.
    func refusal(
        _ arguments: [String],
        _ changes: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation,
    ) async throws -> JSON {
        let outcome = try await place.ota(
            arguments + ["--json"],
            environment: environment.merging(changes) { $1 },
        )
        #expect(outcome.status == 1, "\(outcome)", sourceLocation: sourceLocation)
        return try JSON(outcome.errors)["error"]
    }

    /// Starts a server on the store, with its own spool of that name; its errors are written to `NAME.log`.
    func server(_ name: String, _ options: [String] = []) async throws -> BucketServer {
        let process = try place.start(
            ["serve", "--port", "0", "--plain-port", "0", "--spool", place.path(name)] + options,
            environment: environment,
            errors: name + ".log",
        )
        let line = await process.line()
        guard let base = line?.replacing("listening on ", with: "") else {
            process.send(SIGKILL)
            let log = String(decoding: try place.bytes(name + ".log"), as: UTF8.self)
            throw NoServer(log: log)
        }
        return BucketServer(process: process, base: base, log: name + ".log")
    }

    struct NoServer: Error {
        let log: String
    }
}

extension BucketPlace {
    /// The same store behind a proxy that counts requests.
    func counted(_ body: (BucketPlace, CountedRequests) async throws -> Void) async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "counting.py")
        let python = try #require(WebhookReceiver.python)
        let port = try #require(endpoint.split(separator: ":").last)
        let entries = place.path("requests")
        let process = try python.start(
            [script.path(), String(port), entries],
            in: place.folder,
        )
        defer { process.send(SIGKILL) }
        let own = try #require(await process.line())
        let through = BucketPlace(
            place: place,
            endpoint: "http://127.0.0.1:\(own)",
            store: store,
        )
        try await body(through, CountedRequests(file: entries))
    }
}

/// The requests that the store received.
struct CountedRequests: Sendable {
    let file: String

    /// The method, target and range of each request so far.
    var all: [String] {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// The requests that arrive while `body` runs.
    func during(_ body: () async throws -> Void) async throws -> [String] {
        let before = all.count
        try await body()
        return Array(all.dropFirst(before))
    }
}

struct BucketServer: Sendable {
    let process: RunningProgram
    let base: String
    let log: String

    /// Saves the authority of its certificate as `ca.pem`, for commands.
    func saveAuthority(in place: Workplace) async throws {
        let authority = try await place.curl(base + "/trust/authority.pem")
        try #require(authority.status == 200)
        try place.write(authority.text, to: "ca.pem")
    }

    func stop() async throws {
        process.send(SIGTERM)
        #expect(try await process.status() == 0)
    }
}
