import Foundation
import TestSupport
import Testing

/// The output of commands while the store does not respond, and while servers run.
@Suite(.enabled(if: BucketPlace.isHere), .timeLimit(.minutes(5)))
struct BucketWaitingTests {
    @Test func `a command says what it waits for, and not where it prints JSON`() async throws {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            // A server that accepts connections and never responds.
            let python = try #require(WebhookReceiver.python)
            let silent = try python.start(
                [
                    "-c",
                    """
                    import socket, time
                    s = socket.create_server(("127.0.0.1", 0), backlog=64)
                    print(s.getsockname()[1], flush=True)
                    time.sleep(600)
                    """,
                ],
                in: place.folder,
            )
            defer { silent.send(SIGKILL) }
            let port = try #require(await silent.line())
            var environment = bucket.environment
            environment["OTA_STORE_ENDPOINT"] = "http://127.0.0.1:\(port)"
            let plain = try place.start(
                ["apps", "list"],
                environment: environment,
                errors: "plain",
            )
            let json = try place.start(
                ["apps", "list", "--json"],
                environment: environment,
                errors: "json",
            )
            defer {
                plain.send(SIGKILL)
                json.send(SIGKILL)
            }
            func text(_ file: String) throws -> String {
                String(decoding: try place.bytes(file), as: UTF8.self)
            }
            while try !text("plain").contains("\n") { try await Task.sleep(for: .milliseconds(50)) }
            #expect(try text("plain").hasPrefix("waiting for the store at 127.0.0.1:\(port) ("))
            #expect(try text("json").isEmpty)
        }
    }

    @Test func `a copy beside a server says what will be missing in it`() async throws {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            try place.build()
            try await bucket.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            func copy(to target: String, _ further: String...) async throws -> Program.Outcome {
                let outcome = try await place.ota(
                    ["store", "copy", bucket.store, target] + further,
                    environment: bucket.environment,
                )
                #expect(outcome.status == 0, "\(outcome)")
                return outcome
            }
            let alone = try await copy(to: "alone")
            #expect(!alone.errors.contains("server"), "\(alone)")
            #expect(alone.output.contains("Everything was read again from there and compared."))
            let server = try await bucket.server("spool-of-server")
            defer { server.process.send(SIGKILL) }
            // It becomes the leader within some seconds.
            while try await !place.curl(server.base + "/readyz").text.contains(
                "this server is the leader"
            ) {
                try await Task.sleep(for: .milliseconds(100))
            }
            let beside = try await copy(to: "beside")
            #expect(beside.errors.contains("A server is using \(bucket.store)."), "\(beside)")
            #expect(beside.errors.contains("stop the server and copy again"))
            #expect(
                try JSON(try await copy(to: "third", "--json").output)["isServed"].boolean == true
            )
            try await server.stop()
        }
    }
}
