import Cryptography
import Foundation
import Identifiers
import Publishing
import Releases
import Sample
import Store

/// A published build: its bytes and its release.
struct Published: Sendable {
    let bytes: [UInt8]
    let file: URL
    let release: Release
    let app: AppRecord
    let build: PublishedBuild
}

struct NoApp: Error {}

extension LiveServer {
    /// Builds an IPA and publishes it as `ota publish` does.
    ///
    /// Runs off the threads that accept the server's connections, since it takes a while.
    @discardableResult
    func publish(
        _ builder: IPABuilder,
        channel: ChannelName = .stable,
        notes: String = "",
        replace: Bool = false,
        at date: Date = Date(),
    ) async throws -> Published {
        var options = PublishOptions(publisher: "tests", date: date)
        options.channel = channel
        options.notes = notes
        options.replace = replace
        return try await HeavyWork.run { [options] in try publish(builder, options) }
    }

    private func publish(_ builder: IPABuilder, _ options: PublishOptions) throws -> Published {
        let file = folder.appending(path: "\(UUID().uuidString).ipa")
        try builder.build(to: file.path())
        let build = try Publish(
            into: store,
            trusting: TrustAnchors.apple.adding([authority.anchor]),
            options: options,
        ).file(file.path())
        guard let app = build.app else { throw NoApp() }
        return Published(
            bytes: Array(try Data(contentsOf: file)),
            file: file,
            release: build.release,
            app: app,
            build: build,
        )
    }

    func page(of published: Published) -> String {
        "\(base)/apps/\(published.app.slug)"
    }
}
