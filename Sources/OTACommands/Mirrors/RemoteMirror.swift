import APIDocuments
import Administration
import Foundation
import OTAClient
import Problems

/// A mirror on a running server, which syncs and builds it; this sends requests and waits for the results.
struct RemoteMirror {
    let server: RemoteAdministration
    let name: String
    let terminal: Terminal
    /// Whether only the result is printed.
    let isQuiet: Bool

    /// The interval at which the server is asked for the state of the mirror.
    private static let beat = Duration.milliseconds(700)

    /// Asks the server to sync the mirror, and waits for the sync to end.
    ///
    /// - Returns: the mirror after the sync.
    /// - Throws: ``Problem`` if the sync failed, and ``ServerFailure``.
    func sync() async throws -> MirrorDetailDocument {
        let asked = try await server.perform(AskForSync(of: name))
        say("The server is syncing \(asked.mirror.address.printable)")
        var hasSaidWhy = false
        while true {
            let found = try await server.perform(ShowMirror(name))
            if (found.mirror.answered ?? 0) >= asked.sync {
                guard let problem = found.mirror.problem, let failure = found.mirror.failure else {
                    return found
                }
                throw Problem(
                    id: failure.id,
                    kind: .unavailable,
                    message: problem,
                    fix: failure.fix,
                )
            }
            if !hasSaidWhy, let busy = found.builds.first(where: { $0.state == .running }) {
                hasSaidWhy = true
                say("It is waiting for build \(busy.number), which is \(busy.stateWords).")
            }
            try await Task.sleep(for: Self.beat)
        }
    }

    /// Follows a build to its end, with its log on standard error.
    ///
    /// - Throws: ``Problem`` if the server no longer answers, and ``ServerFailure``.
    func follow(_ number: Int) async throws -> RunDocument {
        do {
            return try await outcome(of: number)
        } catch let failure as ServerFailure where failure.kind == .unavailable {
            throw Problem(
                id: failure.id,
                kind: failure.kind,
                message: failure.description,
                place: failure.place,
                fix: "the build continues on the server: `ota mirror show \(name.printable)`",
            )
        }
    }

    private func outcome(of number: Int) async throws -> RunDocument {
        var offset = 0
        var hasSaidWhy = isQuiet
        while true {
            let piece = try await server.log(of: number, name, from: offset)
            offset += piece.bytes.count
            if !isQuiet, !piece.bytes.isEmpty { terminal.draw(LogOutput.plain(piece.bytes)) }
            if piece.isOver {
                let run = try await server.perform(ShowBuild(number, of: name))
                if run.state.isOver { return run }
            }
            if !hasSaidWhy, offset == 0, !piece.isOver {
                let builds = try await server.perform(ShowMirror(name)).builds
                if builds.contains(where: { $0.number == number && $0.state == .queued }),
                    let busy = builds.first(where: { $0.state == .running })
                {
                    hasSaidWhy = true
                    say(
                        "Build \(number) is queued behind build \(busy.number), which is "
                            + "\(busy.stateWords)."
                    )
                }
            }
            if piece.bytes.isEmpty || piece.isOver { try await Task.sleep(for: Self.beat) }
        }
    }

    private func say(_ words: String) {
        if !isQuiet { terminal.remark(words) }
    }
}
