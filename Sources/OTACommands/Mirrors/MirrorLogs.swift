import ArgumentParser
import Foundation
import GitMirror
import Releases
import Store

struct MirrorLogs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs",
        abstract: "Print the log of a build: the latest, or one by number.",
        discussion: """
            Example:
              ota mirror logs browsey --follow
            """,
    )

    @Argument(help: "The mirror.")
    var name: String

    @Argument(help: "The number of the build.")
    var build: Int?

    @Flag(help: "Go on until the build has ended.")
    var follow = false

    @OptionGroup var storeOptions: StoreOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let store = try storeOptions.open(in: context)
        let place = try storeOptions.mirrors(of: store, in: context)
        let mirror = try store.mirror(named: name)
        let number = try build ?? store.runNumbers(of: mirror.name).first ?? 1
        var offset = 0
        while true {
            guard let run = try store.run(number, of: mirror.name) else {
                throw MirrorRefusal.noRun(number)
            }
            let piece = try LogReader(of: run, in: store, place.folders).read(from: offset)
            offset += piece.bytes.count
            if !piece.bytes.isEmpty {
                try context.terminal.print(
                    LogOutput.plain(piece.bytes.last == 10 ? piece.bytes.dropLast() : piece.bytes)
                )
            }
            guard follow, !piece.isOver else { return }
            try await Task.sleep(for: .milliseconds(300))
        }
    }
}
