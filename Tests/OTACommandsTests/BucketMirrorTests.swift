import Foundation
import Sample
import TestSupport
import Testing

/// A git repository that is mirrored by several servers on one bucket.
@Suite(.enabled(if: BucketPlace.isHere), .timeLimit(.minutes(10)))
struct BucketMirrorTests {
    @Test func `each tag is built once by one of two servers, also after the other was killed`()
        async throws
    {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            try place.build()
            try await bucket.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            let repository = try await TestRepository(at: place.folder.appending(path: "app"))
            let pipeline = """
                steps:
                  - run: mkdir build && cp next.ipa build/
                artifacts:
                  - path: build/*.ipa
                """
            try await repository.commit("Begin", [".ota/pipeline.yml": pipeline])
            try await bucket.json(
                "mirror",
                "add",
                "app",
                repository.path,
                "--allow-file",
                "--interval",
                "10s",
            )
            let first = try await bucket.server("first")
            let second = try await bucket.server("second")
            defer { for server in [first, second] { server.process.send(SIGKILL) } }
            for (number, version) in ["1.5.0", "1.6.0"].enumerated() {
                if number == 1 {
                    // A build that was published but not marked as finished would be repeated, which is
                    // correct.
                    for _ in 0..<100 {
                        let runs = try await bucket.json("mirror", "show", "app")["builds"].items
                        if runs.first?["state"].string == "succeeded" { break }
                        try await Task.sleep(for: .milliseconds(200))
                    }
                    first.process.send(SIGKILL)
                }
                try place.build("app/next.ipa") { $0.version(version, build: "\(30 + number)") }
                try await repository.git("add", "next.ipa")
                try await repository.commit("Make \(version)")
                try await repository.git("tag", "v" + version)
                let servers = number == 0 ? [first, second] : [second]
                for server in servers {
                    try await BucketServeTests.shows(
                        server.base + "/apps/browsey",
                        version,
                        in: place,
                        seconds: 120,
                    )
                }
            }
            let shown = try await bucket.json("mirror", "show", "app")
            let runs = shown["builds"].items
            #expect(runs.map(\.["tag"].string) == ["v1.6.0", "v1.5.0"], "\(shown)")
            #expect(runs.allSatisfy { $0["state"].string == "succeeded" }, "\(shown)")
            try await second.stop()
        }
    }
}
