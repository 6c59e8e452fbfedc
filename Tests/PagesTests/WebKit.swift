import Foundation
import Testing

/// WebKitGTK, the engine of Safari in GNOME's build, if this machine has it.
enum WebKit {
    static let isHere = ["/usr/bin/WebKitWebDriver", "/usr/bin/xvfb-run", "/usr/bin/python3"]
        .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    /// Returns the content of the element `results` of a page in the folder.
    static func results(of target: String, in folder: URL, scheme: String) throws -> String {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Browser/webkit.py")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = [
            "--kill-after=5", "840", "python3", script.path(), folder.path(), target, scheme,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}

/// Deque's accessibility rules, which `scripts/tools` installs.
enum AxeCore {
    static let script: URL? = {
        let tools = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../.build/tools/lib").standardizedFileURL
        let versions = try? FileManager.default.contentsOfDirectory(atPath: tools.path())
        return versions?.map {
            tools.appending(path: "\($0)/site-packages/axe_playwright_python/axe.min.js")
        }
        .first { FileManager.default.fileExists(atPath: $0.path()) }
    }()
}
