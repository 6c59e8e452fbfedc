import Foundation
import Testing

/// A browser without a window, where this machine has one.
enum Chromium {
    static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The document as it stands after its scripts have run.
    static func document(at url: String, profile: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = [
            "--kill-after=5", "280", try #require(path), "--headless=new", "--no-sandbox",
            "--disable-gpu", "--disable-dev-shm-usage", "--allow-file-access-from-files",
            "--host-resolver-rules=MAP * ~NOTFOUND", "--no-first-run", "--disable-extensions",
            "--user-data-dir=\(profile.path(percentEncoded: false))", "--window-size=1300,1000",
            "--virtual-time-budget=60000", "--dump-dom", url,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let document = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: document, as: UTF8.self)
    }
}
