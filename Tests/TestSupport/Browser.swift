package import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A real headless Chromium, which runs the pages' scripts and stays open between commands.
package struct Browser: Sendable {
    /// The error with which the browser, or the script that drives it, answered a command.
    package struct Failure: Error {
        package let reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }

    /// The path of the browser; nil disables the tests that need it.
    package static let chromium: String? = [
        "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome",
    ].first { FileManager.default.isExecutableFile(atPath: $0) }

    private let program: RunningProgram
    private let input: FileHandle

    /// Runs a browser with a new profile while `body` runs.
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
        // At the end of its input, the script quits the browser, which still writes to its profile.
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

    /// Evaluates an expression and returns its value as text; nil for null and undefined.
    package func text(_ script: String) async throws -> String? {
        try await ask(["eval": script]) as? String
    }

    /// Waits until an expression is true, and returns whether it became true in time.
    package func waits(for script: String, seconds: Int = 20) async throws -> Bool {
        try await ask(["until": "Boolean(\(script))", "seconds": seconds]) as? Bool ?? false
    }

    /// Sets the window's size and the preferred colour scheme.
    ///
    /// - Parameters:
    ///   - width: width of the window, in CSS pixels.
    ///   - height: height of the window, in CSS pixels.
    ///   - scale: device pixels per CSS pixel.
    ///   - isDark: whether dark colours are preferred.
    /// - Throws: ``Failure`` if the browser refuses.
    package func resize(width: Int, height: Int, scale: Double, isDark: Bool) async throws {
        let size: [String: any Sendable] = [
            "size": [width, height], "scale": scale, "dark": isDark,
        ]
        try await ask(size)
    }

    /// Emulates an iPad, whose browser claims to run on a Mac.
    package func becomeAnIPad() async throws {
        let agent =
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like "
            + "Gecko) Version/18.1 Safari/605.1.15"
        let size: [String: any Sendable] = ["size": [820, 1180], "touch": true, "agent": agent]
        try await ask(size)
    }

    /// Writes a screenshot of the window, down to a height in CSS pixels, as PNG.
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
