import Foundation
import TestSupport

/// A system program that checks this project's output independently.
struct Tool: Sendable {
    let path: String

    /// Nil if it is not installed.
    init?(_ name: String) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let candidates = folders.map { "\($0)/\(name)" }
        guard let path = candidates.first(where: FileManager.default.isExecutableFile) else {
            return nil
        }
        self.path = path
    }

    static let openssl = Tool("openssl")
    static let objdump = Tool("llvm-objdump")
    static let unzip = Tool("unzip")
    static let python = Tool("python3")

    /// Runs it, and returns its output and whether it exited with 0.
    func run(_ arguments: String...) throws -> (isContent: Bool, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus == 0, String(decoding: output, as: UTF8.self))
    }
}

extension URL {
    /// Writes `bytes` to a file with this name in the folder.
    func writing(_ bytes: some Sequence<UInt8>, as name: String) throws -> String {
        let file = appending(path: name)
        try Data(bytes).write(to: file)
        return file.path()
    }
}
