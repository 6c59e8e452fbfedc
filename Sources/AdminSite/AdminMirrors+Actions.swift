import APIDocuments
import Administration
import Foundation
import GitRepositories
import HTTPServing
import Hummingbird
import MirrorBuilds
import Mirrors
import Pages
import Problems
import Releases
import SiteServices
import Versions

/// The forms on the pages of mirrors and builds.
extension AdminMirrors {
    @Sendable func sync(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("mirror")
        return try await gate.action(request, context, in: .mirrors) { visit, _ in
            let mirror = try Self.mirror(name, visit)
            _ = try visit.perform(AskForSync(of: name))
            return .done(
                "Sync started.",
                goingTo: visit.links.mirror(mirror.name),
            )
        }
    }

    @Sendable func build(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("mirror")
        return try await gate.action(
            request,
            context,
            in: .mirrors,
            preparing: { visit, form in try await Self.asked(form, of: name, visit) },
        ) { visit, form, asked in
            let run: MirrorRun
            switch asked {
            case .success(let queued): run = queued
            case .failure(let problem):
                let typed = MirrorPage.Typed(
                    tag: form["tag"] ?? "",
                    branch: form["branch"] ?? "",
                    problem: PageProblem(problem),
                )
                let mirror = try Self.mirror(name, visit)
                return .again(
                    try Self.page(of: mirror, building: typed, visit),
                    problem.kind.status,
                )
            }
            let words =
                ["Build \(run.number) is queued."]
                + run.warnings.map { Wording.sentence($0) }
            return .done(
                words.joined(separator: " "),
                goingTo: visit.links.build(run.number, of: run.mirror),
            )
        }
    }

    /// Seconds that a request waits for the repository.
    private static let syncTime = 30

    /// Returns the build, or the problem that the form shows.
    private static func asked(
        _ form: FormBody,
        of name: String,
        _ visit: AdminRequest,
    ) async throws -> Result<MirrorRun, Problem> {
        do {
            return .success(try await queued(form, of: name, visit))
        } catch {
            let known = Problem(ofForm: error) ?? Problem(ofFetch: error)
            guard let problem = known else { throw error }
            return .failure(problem)
        }
    }

    /// Syncs the mirror first, as the command line does.
    private static func queued(
        _ form: FormBody,
        of name: String,
        _ visit: AdminRequest,
    ) async throws -> MirrorRun {
        func field(_ name: String) -> String? {
            let text = form[name]?.trimmingCharacters(in: .whitespaces)
            return text?.isEmpty == true ? nil : text
        }
        let seen = form["rebuild"]
        let request = BuildRequest(
            tag: field("tag"),
            branch: field("branch"),
            rebuild: seen.map { _ in true },
        )
        _ = try Self.mirror(name, visit)
        return try await visit.administration.queueBuild(
            of: name,
            request,
            seen: seen,
            syncingWithin: syncTime,
        )
    }

    @Sendable func cancel(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("mirror")
        let number = try context.number("build")
        return try await gate.action(request, context, in: .mirrors) { visit, _ in
            let mirror = try Self.mirror(name, visit)
            _ = try visit.perform(CancelBuild(number, of: name))
            return .done(
                "Cancelling the build.",
                goingTo: visit.links.build(number, of: mirror.name),
            )
        }
    }
}

extension Problem {
    /// Creates the problem of a failed fetch; nil for any other failure.
    ///
    /// The form shows it, so that the admin can correct the mirror or try again.
    fileprivate init?(ofFetch error: any Error) {
        guard let failure = error as? GitFailure else { return nil }
        let problem = failure.problem
        self.init(
            id: problem.id,
            kind: .conflict,
            message:
                "the repository could not be fetched, so nothing was queued: \(problem.message)",
            place: problem.place,
            fix: problem.fix,
            pageFix: problem.pageFix,
        )
    }
}
