import Foundation
import TestSupport
import Testing

/// The App Store Connect test server, as commands reach it.
struct AppleRoom {
    private struct Greeting: Decodable {
        let url: String
        let issuer: String
        let key: String
    }

    /// The key's file, named as Apple names it.
    let keyFile: String
    let issuer: String
    let keyID: String
    /// The server's URL, and the authority of its certificate.
    let options: [String]
    fileprivate let url: String
    fileprivate let anchor: String

    fileprivate init(_ line: String, in place: Workplace) throws {
        let greeting = try JSONDecoder().decode(Greeting.self, from: Data(line.utf8))
        url = greeting.url
        issuer = greeting.issuer
        keyID = greeting.key
        anchor = place.path("apple/anchor.pem")
        keyFile = "AuthKey_\(greeting.key).p8"
        options = ["--apple-url", url, "--apple-ca-file", anchor]
    }
}

extension Workplace {
    /// Runs the App Store Connect test server while `body` runs.
    func withApple(_ body: (AppleRoom) async throws -> Void) async throws {
        let program = try #require(Program(built: "AppleServer"))
        let apple = folder.appending(path: "apple")
        try FileManager.default.createDirectory(at: apple, withIntermediateDirectories: true)
        let running = try program.start([apple.path()], in: apple)
        defer { running.send(SIGKILL) }
        let room = try AppleRoom(#require(await running.line()), in: self)
        try write(
            String(contentsOf: apple.appending(path: "AuthKey.p8"), encoding: .utf8),
            to: room.keyFile,
        )
        try await body(room)
    }

    /// Sets traps at Apple, or does what people do on Apple's website.
    func order(_ json: String, at apple: AppleRoom) async throws {
        _ = try await run(
            "/usr/bin/curl",
            "--fail",
            "--silent",
            "--show-error",
            "--cacert",
            apple.anchor,
            "--data",
            json,
            apple.url + "/control/orders",
        )
    }

    /// The whole state of the App Store Connect test server.
    func state(of apple: AppleRoom) async throws -> JSON {
        try JSON(
            await run(
                "/usr/bin/curl",
                "--fail",
                "--silent",
                "--show-error",
                "--cacert",
                apple.anchor,
                apple.url + "/control/state",
            )
        )
    }
}
