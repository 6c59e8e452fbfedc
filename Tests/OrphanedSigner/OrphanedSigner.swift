import Essentials
import Foundation
import Sample
import SigningOrders

/// Only the part of a server that starts the signing process, for a test that kills it while that works:
/// `OrphanedSigner PROGRAM PIPE`, where PROGRAM is this one.
///
/// The process that it starts writes `signing` to the pipe instead of signing, and `alive` a minute later.
@main
struct OrphanedSigner {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == SigningProcess.arguments {
            _ = try SigningChild.run { order, _ in try linger(order.output) }
            return
        }
        guard arguments.count == 2 else { exit(64) }
        let order = SigningOrder(
            input: "/dev/null",
            output: arguments[1],
            identity: try SigningAuthority.cached().distribution,
            profiles: [],
            date: Date(),
        )
        _ = try await SigningProcess(program: arguments[0], in: "/").run(order, as: String.self)
    }

    private static func linger(_ path: String) throws -> String {
        let pipe = try FileHandle(forWritingTo: URL(filePath: path))
        try pipe.write(contentsOf: Data("signing\n".utf8))
        sleep(60)
        try pipe.write(contentsOf: Data("alive\n".utf8))
        return "signed"
    }
}
