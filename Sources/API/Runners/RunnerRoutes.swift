import Access
import Cryptography
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Mirrors
import NIOHTTP1
import Releases
import Runners
import SiteServices
import Store

/// `/api/v1/runner`: the API for the agents of runners.
///
/// A runner's token is valid only for these paths, and no other token is valid for them.
struct RunnerRoutes: Sendable {
    static let path = "/api/v1/runner"
    static let stagePath = path + "/stages/{mirror}/{build}/{attempt}"

    /// The methods and paths with their handlers.
    static let operations:
        [(
            method: HTTPRequest.Method, path: String,
            handler: @Sendable (RunnerRoutes) -> RouteHandler
        )] =
            [
                (.post, path + "/register", { $0.register }), (.post, path + "/poll", { $0.poll }),
                (.get, stagePath + "/bundle", { $0.bundle }),
                (.get, stagePath + "/files", { $0.files }),
                (.post, stagePath + "/beat", { $0.beat }),
                (.patch, stagePath + "/log", { $0.log }),
                (.patch, stagePath + "/archive", { $0.archive }),
                (.post, stagePath + "/finish", { $0.finish }),
                (.post, stagePath + "/abandon", { $0.abandon }),
            ]

    /// The routes; the handlers of log and archive pieces stream their bodies.
    var table: RouteTable {
        Self.operations.map { operation in
            let body: BodyRule =
                operation.method == .patch
                ? .counted(isTaken: { $0.method == .PATCH }) : .atMost(Self.reportBytes)
            return Route(operation.path, [operation.method: operation.handler(self)], body: body)
        }
    }

    /// The largest description of a machine, in bytes.
    static let machineBytes = 16 << 10
    /// The largest report on steps, in bytes.
    static let reportBytes = 256 << 10
    /// The largest piece of a log, and of an archive, in bytes.
    static let logPiece = 1 << 20
    static let archivePiece = 64 << 20
    /// The seconds that a poll may wait.
    static let waits = 0...55

    let site: Site
    let board: RunnerBoard
    let reception: StageReception
    let uploads: UploadService
    /// The SHA-256 of the agent that this server provides; nil if it provides none.
    let agent: SHA256Digest?
    let bundles = BundleTurns()

    // MARK: Registration and polls

    /// Answers `POST /register`: exchanges a code for a token.
    @Sendable func register(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering {
            let address = SignIn(site: site).address(request, context)
            let guesser = Guesser(at: "codes of runners", from: address)
            try site.guesses.check(guesser, at: site.now)
            let asked = try await document(
                RunnerRequest.Registration.self,
                of: request,
                atMost: Self.machineBytes,
                from: .stranger(at: address),
            )
            let (store, now) = (site.store, site.now)
            do {
                let (runner, token) = try await site.work {
                    var made: (runner: Runner, token: RunnerSecret)?
                    // A wrong code changes nothing in the register.
                    try store.changeRunners {
                        made = try $0.register(
                            showing: asked.code,
                            as: asked.name,
                            on: asked.machine,
                            at: now,
                            random: randomBytes,
                        )
                    } recording: {
                        [made.map { Self.registration(of: $0.runner, at: now) }].compactMap(\.self)
                    }
                    guard let made else { throw RunnerRefusal.wrongCode }
                    return made
                }
                site.guesses.succeeded(guesser)
                return try json(RunnerAnswer.Registration(runner, token: token.text))
            } catch let refusal as RunnerRefusal {
                site.guesses.failed(guesser, at: now)
                throw refusal
            }
        }
    }

    private static func registration(of runner: Runner, at date: Date) -> Activity {
        Activity(
            date: date,
            actor: runner.name.rawValue,
            event: .runnerRegistered,
            subject: runner.name.rawValue,
        )
    }

    /// Answers `POST /poll?wait=50`: returns a stage as soon as there is one for this runner.
    @Sendable func poll(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering {
            let runner = try await signedIn(request, context)
            let wait = try Self.wait(of: request)
            let asked = try await document(
                RunnerRequest.Poll.self,
                of: request,
                atMost: Self.machineBytes,
                from: .known,
            )
            try await note(runner, on: asked.machine)
            let given = try await board.stage(
                for: runner.name,
                within: .seconds(wait),
                over: context.channel,
            )
            guard let given else {
                var response = Response(status: .noContent, headers: ResponseFields.common)
                response.headers[.cacheControl] = "no-store"
                response.headers[.runnerAgent] = agent?.description
                return response
            }
            let (store, stage, agent) = (site.store, given.stage, agent)
            let secrets = try await site.work {
                stage.usesSecrets ? try store.secrets(of: stage.mirror).variables : [:]
            }
            return try json(
                RunnerAnswer.Offer(stage, resumes: given.resumes, secrets: secrets, agent: agent)
            )
        }
    }

    private static func wait(of request: Request) throws(RunnerRefusal) -> Int {
        guard let text = request.uri.queryParameters["wait"] else { return 0 }
        guard let wait = Int(text), waits.contains(wait) else {
            throw .badReport("wait", "a whole number from 0 to \(waits.upperBound)")
        }
        return wait
    }

    /// Records that an agent sent a request, if that is new information or the last record is old.
    func note(_ runner: Runner, on machine: RunnerMachine?) async throws {
        let (store, now) = (site.store, site.now)
        guard runner.isWorthNoting(machine, at: now) else { return }
        try await site.work {
            _ = try store.changeRunners { $0.note(runner.name, on: machine, at: now) }
        }
    }
}

extension HTTPField.Name {
    /// The SHA-256 of the agent that the server provides.
    static let runnerAgent = HTTPField.Name("Ota-Agent") ?? .server
    /// `all` if a bundle contains every tag from which its commit can be reached.
    static let bundleTags = HTTPField.Name("Ota-Tags") ?? .server
}
