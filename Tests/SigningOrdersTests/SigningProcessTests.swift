import Cryptography
import Foundation
import Problems
import Sample
import Sandboxing
import SigningOrders
import Synchronization
import TestSupport
import Testing

/// The server's side of a signing, with shell scripts instead of the program.
@Suite struct SigningProcessTests {
    private struct Done: Codable, Equatable, Sendable {
        let sha256: String
    }

    private func order() throws -> SigningOrder {
        SigningOrder(
            input: "/in.ipa",
            output: "/out.ipa",
            identity: try SigningAuthority.cached().distribution,
            profiles: [[1, 2, 3]],
            entitlements: ["com.example.app": Array("<plist/>".utf8)],
            date: Date(timeIntervalSince1970: 1_800_000_000),
        )
    }

    /// Runs an order through a script in place of `ota`.
    private func run(
        _ script: String,
        progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in },
        changing change: (inout SigningProcess) -> Void = { _ in },
    ) async throws -> Done {
        let order = try order()
        var result: Swift.Result<Done, any Error>?
        try await withTemporaryFolder { folder in
            let program = folder.appending(path: "ota")
            try Data("#!/bin/sh\nPATH=/usr/bin:/bin\n\(script)\n".utf8).write(to: program)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o700],
                ofItemAtPath: program.path(),
            )
            var process = SigningProcess(program: program.path(), in: folder.path())
            process.limits.time = .seconds(20)
            process.limits.patience = .milliseconds(100)
            change(&process)
            do {
                result = .success(try await process.run(order, as: Done.self, progress: progress))
            } catch {
                result = .failure(error)
            }
        }
        return try #require(result).get()
    }

    @Test func `an order is read back as it was given`() throws {
        let authority = try SigningAuthority.cached()
        let order = try order()
        let copy = try JSONDecoder().decode(
            SigningOrder.self,
            from: try JSONEncoder().encode(order),
        )
        let identity = try copy.signingIdentity()
        #expect(identity.certificate == authority.distribution.certificate)
        #expect(identity.key.der == authority.distribution.key.der)
        #expect(identity.chain == authority.distribution.chain)
        #expect(copy.profiles == [Data([1, 2, 3])])
        #expect(copy.date == order.date)
        #expect(try copy.authorities().isEmpty)
    }

    @Test func `the order goes over a pipe alone, and progress and result come back`() async throws
    {
        let seen = Mutex<[Int]>([])
        let result = try await run(
            """
            IFS= read -r line
            case "$*" in *PRIVATE*) exit 9;; esac
            env | grep -q PRIVATE && exit 9
            case "$line" in *"BEGIN PRIVATE KEY"*) ;; *) exit 8;; esac
            echo '{"done":1,"total":2}'
            echo 'not a report'
            printf '{"signed":{"sha'; echo '256":"'"$*"'"}}'
            """,
            progress: { done, total in seen.withLock { $0 += [done, total] } },
        )
        #expect(result == Done(sha256: "sign --request -"))
        #expect(seen.withLock { $0 } == [1, 2])
    }

    @Test func `what the process refuses is thrown as it said it`() async throws {
        let problem = Problem(
            id: "signing.profile-missing",
            kind: .invalid,
            message: "no profile",
            place: "Payload/A.app",
            fix: "give one",
        )
        let line = String(
            decoding: try SigningReport<Done>.refused(problem).line(),
            as: UTF8.self,
        ).trimmingCharacters(in: .newlines)
        let error = await #expect(throws: Problem.self) {
            try await run("read -r line; echo '\(line)'; exit 1")
        }
        #expect(error == problem)
    }

    @Test func `a process without an answer is named, and one that takes too long is ended`()
        async throws
    {
        await #expect(throws: SigningProcessFailure.noAnswer(status: 3)) { try await run("exit 3") }
        await #expect(throws: SigningProcessFailure.ended(signal: 9)) {
            try await run("kill -9 $$")
        }
        await #expect(throws: SigningProcessFailure.timedOut(.milliseconds(300))) {
            try await run("sleep 60", changing: { $0.limits.time = .milliseconds(300) })
        }
        await #expect(throws: SigningProcessFailure.badAnswer) {
            try await run("yes", changing: { $0.limits.output = 10_000 })
        }
    }
}
