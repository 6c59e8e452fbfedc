package import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A real Chromium without a window, which runs the pages' scripts and stays open meanwhile.
package struct Browser: Sendable {
    /// What the browser, or the script that drives it, says against a command.
    package struct Failure: Error {
        package let reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }

    /// Nil leaves the tests out that need it.
    package static let chromium: String? = [
        "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome",
    ].first { FileManager.default.isExecutableFile(atPath: $0) }

    private let program: RunningProgram
    private let input: FileHandle

    /// Runs a browser with a profile of its own around `body`.
    package static func run<Result>(
        in folder: URL,
        _ body: (Browser) async throws -> Result,
    ) async throws -> Result {
        guard let chromium, let python = WebhookReceiver.python else {
            throw Failure(reason: "no browser")
        }
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "browser.py")
        let profile = folder.appending(path: "browser-\(UUID().uuidString)")
        let pipe = Pipe()
        let program = try python.start(
            [script.path(), chromium, profile.path()],
            in: folder,
            input: pipe,
        )
        defer { program.send(SIGTERM) }
        let input = pipe.fileHandleForWriting
        let result = try await body(Browser(program: program, input: input))
        // At the end of its input the script ends the browser, which still writes into its profile.
        try input.close()
        _ = try await program.status()
        return result
    }

    package func open(_ url: String) async throws {
        try await ask(["open": url])
    }

    package func set(cookie name: String, to value: String, for url: String) async throws {
        let cookie: [String: any Sendable] = [
            "name": name, "value": value, "url": url, "secure": true,
        ]
        try await ask(["cookie": cookie])
    }

    package func type(_ text: String, into selector: String) async throws {
        try await ask(["type": [selector, text]])
    }

    /// The value of an expression as text; nil for none.
    package func text(_ script: String) async throws -> String? {
        try await ask(["eval": script]) as? String
    }

    /// Whether an expression becomes true within some seconds.
    package func waits(for script: String, seconds: Int = 20) async throws -> Bool {
        try await ask(["until": "Boolean(\(script))", "seconds": seconds]) as? Bool ?? false
    }

    /// Gives the window a size and a preference for colours.
    ///
    /// - Parameters:
    ///   - width: of the window, in CSS pixels.
    ///   - height: the same.
    ///   - scale: pixels of the screen for each of them.
    ///   - isDark: whether dark colours are preferred.
    /// - Throws: ``Failure`` when the browser does not do it.
    package func resize(width: Int, height: Int, scale: Double, isDark: Bool) async throws {
        let size: [String: any Sendable] = [
            "size": [width, height], "scale": scale, "dark": isDark,
        ]
        try await ask(size)
    }

    /// Shows pages as an iPad does, whose browser calls itself one of a Mac.
    package func becomeAnIPad() async throws {
        let agent =
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like "
            + "Gecko) Version/18.1 Safari/605.1.15"
        let size: [String: any Sendable] = ["size": [820, 1180], "touch": true, "agent": agent]
        try await ask(size)
    }

    /// Writes what the window shows, down to a height, as PNG.
    package func picture(to file: URL, height: Int) async throws {
        try await ask(["shot": file.path(percentEncoded: false), "height": height])
    }

    @discardableResult
    private func ask(_ command: [String: any Sendable]) async throws -> Any? {
        try input.write(contentsOf: JSONSerialization.data(withJSONObject: command) + Data([10]))
        guard let line = await program.line(),
            let answer = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        else { throw Failure(reason: "the browser is gone") }
        if let reason = answer["error"] as? String { throw Failure(reason: reason) }
        return answer["value"]
    }
}
