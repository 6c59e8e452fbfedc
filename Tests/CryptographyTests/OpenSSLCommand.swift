import Foundation

/// The program `openssl`, with which the tests compare.
enum OpenSSLCommand {
    static let path = "/usr/bin/openssl"
    static let isPresent = FileManager.default.isExecutableFile(atPath: path)

    struct Failure: Error {
        let arguments: [String]
        let message: String
    }

    /// Runs `openssl` inside `folder` and returns what it printed.
    @discardableResult
    static func run(_ arguments: String, in folder: URL) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments.split(separator: " ").map(String.init)
        process.currentDirectoryURL = folder
        let output = folder.appending(path: "stdout")
        let errors = folder.appending(path: "stderr")
        for file in [output, errors] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                arguments: process.arguments ?? [],
                message: try String(contentsOf: errors, encoding: .utf8),
            )
        }
        return try [UInt8](Data(contentsOf: output))
    }

    static func text(_ arguments: String, in folder: URL) throws -> String {
        String(decoding: try run(arguments, in: folder), as: UTF8.self)
    }
}

extension URL {
    func write(_ bytes: [UInt8], as name: String) throws {
        try Data(bytes).write(to: appending(path: name))
    }

    func write(_ text: String, as name: String) throws {
        try write(Array(text.utf8), as: name)
    }

    func read(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: appending(path: name)))
    }
}
