import Foundation

/// Runs the `CrashingPublisher` next to the test bundle.
enum Publisher {
    /// Nil if it was not built.
    static let path: String? = {
        let folders =
            CommandLine.arguments.prefix(1).map { URL(filePath: $0) }
            + [Bundle.main.bundleURL, URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()]
        for folder in folders {
            var folder = folder
            for _ in 0..<4 {
                let candidate = folder.appending(path: "CrashingPublisher").path()
                if FileManager.default.isExecutableFile(atPath: candidate),
                    (try? FileHandle(forReadingAtPath: candidate)?.read(upToCount: 4))?.count == 4
                {
                    return candidate
                }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    /// Starts a program whose output can be read from the returned process's pipe.
    static func start(_ program: String, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = Pipe()
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    struct Outcome {
        let status: Int32
        let output: String

        /// The last release that it acknowledged as durable.
        var acknowledged: Int? {
            output.split(separator: "\n").last { $0.hasPrefix("acknowledged ") }
                .flatMap { Int($0.dropFirst("acknowledged ".count)) }
        }
    }

    /// Runs a program to its end.
    static func run(_ program: String, _ arguments: [String]) throws -> Outcome {
        let process = try start(program, arguments)
        let output = (process.standardOutput as? Pipe)?.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: String(decoding: output ?? Data(), as: UTF8.self),
        )
    }
}
