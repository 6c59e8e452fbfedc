import Foundation
import Testing
import UpdateCheck

enum TestedServer {
    static let address = ProcessInfo.processInfo.environment["UPDATE_CHECK_SERVER"]
}

/// Asks a real server, which `./test` starts: it offers build 1.2.0 (34) of `sample`, for iOS 15, and 1.1 is the
/// lowest version.
@Suite(.enabled(if: TestedServer.address != nil, "no server: run ./test with OTA_PROGRAM"))
struct ServerTests {
    private static let os = OperatingSystemVersion(
        majorVersion: 18,
        minorVersion: 1,
        patchVersion: 0
    )

    private static func check(
        _ version: String,
        _ build: String,
        app: String = "sample",
        channel: String? = nil
    ) throws -> UpdateCheck {
        UpdateCheck(
            server: try #require(URL(string: TestedServer.address ?? "")),
            app: app,
            channel: channel,
            version: version,
            build: build
        )
    }

    @Test func `an old copy hears of the newer build`() async throws {
        let update = try #require(try await Self.check("1.1", "99").check(on: Self.os))
        #expect(update.version == "1.2.0" && update.build == "34")
        #expect(!update.isMandatory)
        #expect(update.size > 1000 && update.minimumOS != nil)
        #expect(update.url.scheme == "itms-services")
        #expect(update.page.path == "/apps/sample")
        let copy = try Self.check("1.1", "99", app: "com.example.ota-sample", channel: "stable")
        #expect(try await copy.check(on: Self.os)?.id == update.id)
    }

    @Test func `one that is too old has to update, and the newest hears nothing`() async throws {
        #expect(try await Self.check("1.0.9", "1").check(on: Self.os)?.isMandatory == true)
        #expect(try await Self.check("1.2.0", "34").check(on: Self.os) == nil)
        #expect(try await Self.check("1.2.0", "33").check(on: Self.os) != nil)
        let old = OperatingSystemVersion(majorVersion: 12, minorVersion: 0, patchVersion: 0)
        #expect(try await Self.check("1.0", "1").check(on: old) == nil)
    }

    @Test func `what is not there, or makes no sense, is refused`() async throws {
        await #expect(throws: UpdateCheckError.refused(status: 404)) {
            try await Self.check("1", "1", app: "nobody").check(on: Self.os)
        }
        await #expect(throws: UpdateCheckError.refused(status: 400)) {
            try await Self.check("", "1").check(on: Self.os)
        }
    }
}
