import Bundles
import Foundation
import Identifiers
import MirrorBuilds
import Mirrors
import Phone
import Releases
import Sample
import Store
import TestSupport
import Testing

/// A developer's repository, and the bare one to which they push and which a mirror follows.
struct MirroredApp {
    let server: ServedStore
    let upstream: URL
    let work: TestRepository

    /// Creates the repositories; `name` is the name of their folders.
    init(_ name: String, on server: ServedStore) async throws {
        self.server = server
        upstream = server.folder.appending(path: "\(name).git")
        try FileManager.default.createDirectory(at: upstream, withIntermediateDirectories: true)
        try await TestRepository.git(["init", "--quiet", "--template=", "--bare"], in: upstream)
        work = try await TestRepository(at: server.folder.appending(path: "\(name)-work"))
        try await work.git("remote", "add", "origin", upstream.path())
        try work.write(Self.archive, to: "archive.sh")
        let keys = server.folder.appending(path: "authority.pem")
        try Data(server.authority.privatePEM.utf8).write(to: keys)
    }

    /// The command of a step that compiles an app, which here makes a sample.
    func compile(_ app: String, to file: String) -> String {
        """
        "\(server.program.path)" sample --app \(app) --version "$MARKETING_VERSION" \
        --build "$BUILD_NUMBER" --authority "\(server.folder.path())authority.pem" --output \(file)
        """
    }

    /// Writes what `xcodebuild archive` would make from a signed app; a third argument makes it unsigned.
    private static let archive = """
        set -e
        mkdir -p "$2/Products/Applications"
        unzip -q "$1" -d "$2.unpacked"
        mv "$2.unpacked/Payload/"*.app "$2/Products/Applications/"
        rm -r "$2.unpacked"
        if [ "$3" = unsigned ]; then
          rm -r "$2"/Products/Applications/*.app/_CodeSignature
          rm "$2"/Products/Applications/*.app/embedded.mobileprovision
        fi
        cat > "$2/Info.plist" <<END
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>ArchiveVersion</key><integer>2</integer></dict></plist>
        END

        """

    /// Runs `git tag && git push`, which is all that a developer has to do.
    func push(_ references: String...) async throws {
        for reference in references where reference != "main" {
            try await work.git("tag", reference)
        }
        try await TestRepository.git(
            ["push", "--quiet", "origin"] + references,
            in: work.folder,
        )
    }

    /// Runs `ota mirror add` with further options.
    func follow(as name: String, _ options: String...) async throws {
        try await follow(as: name, with: options)
    }

    func follow(as name: String, with options: [String]) async throws {
        let added = try await server.program.run(
            ["mirror", "add", name, upstream.path(), "--allow-file", "--store", "./store"]
                + options,
            in: server.folder,
        )
        try #require(added.status == 0, "\(added.errors)")
    }

    var store: OTAStore {
        get throws { try OTAStore.open(at: server.folder.appending(path: "store").path()) }
    }

    /// Waits for a release on a channel.
    func release(_ identifier: String, on channel: String) async throws -> (AppRecord, Release) {
        let name = try #require(ChannelName(channel))
        let store = try store
        var app: AppRecord?
        try await eventually(within: .seconds(90), "release \(identifier) on \(channel)") {
            app = try store.apps().first { $0.channels[name]?.rawValue == identifier }
            return app != nil
        }
        let seen = try runs()
        let found = try #require(app, "\(seen)")
        return (found, try #require(try store.release(on: name, of: found)))
    }

    /// Every build of every mirror, for the message of a failing test.
    func runs() throws -> [String] {
        let store = try store
        return try store.mirrors().mirrors.flatMap { mirror in
            try store.runs(of: mirror.name, count: 50).map {
                "\(mirror.name) \($0.number) \($0.subject) \($0.state) \($0.reason ?? "")"
            }
        }
    }
}

extension ServedStore {
    /// Returns a phone whose owner has trusted the server on `/trust` of the plain port.
    func phone(_ prepare: (inout SimulatedPhone) -> Void = { _ in }) async throws -> SimulatedPhone
    {
        try await SimulatedPhone.trusting(plainBase, in: folder, prepare)
    }
}
