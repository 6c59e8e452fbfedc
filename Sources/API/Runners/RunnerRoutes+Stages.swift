import Bytes
import Cryptography
import Foundation
import GitRepositories
import HTTPServing
import Hummingbird
import Publishing
import Runners
import SiteServices
import Versions

/// Handles the requests and reports of the runner that has a stage.
extension RunnerRoutes {
    /// Answers `GET …/bundle?have=SHA,SHA`.
    @Sendable func bundle(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering {
            let visit = try await visit(request, context)
            let known = (request.uri.queryParameters["have"] ?? "").split(separator: ",")
                .prefix(BareRepository.mostKnown).compactMap { CommitIdentifier($0) }
            let stage = try await site.work { try visit.renewed() }
            let bundle = try await bundles.turn {
                try await StageBundle(visit: visit, stage: stage).made(without: known)
            }
            var response = stream(bundle.count, type: "application/x-git-bundle") {
                try bundle.bytes(in: $0)
            }
            response.headers[.bundleTags] = "all"
            return response
        }
    }

    /// Answers `GET …/files`: a ZIP archive of files of earlier steps.
    @Sendable func files(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering {
            let visit = try await visit(request, context)
            let file = try await site.work {
                guard try visit.renewed().hasFiles else { throw RunnerRefusal.noFiles }
                let path = try visit.folders().stageInput(visit.build, of: visit.mirror)
                do throws(SourceFailure) {
                    return try FileSource(path: path)
                } catch {
                    throw RunnerRefusal.noFiles
                }
            }
            return stream(file.count, type: "application/zip") {
                try file.bytes(at: $0.lowerBound, count: $0.count)
            }
        }
    }

    /// Answers `POST …/beat`.
    @Sendable func beat(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering {
            let visit = try await visit(request, context)
            let asked = try await report(RunnerRequest.Beat.self, of: request)
            try await note(visit.runner, on: nil)
            let now = site.now
            let answer = try await site.work {
                if try visit.stageInAnyState()?
                    .isWithdrawn(from: visit.runner.name, as: visit.attempt) == true
                {
                    return RunnerAnswer.Beat(cancel: true)
                }
                var copy = try visit.stage()
                let before = copy
                copy.renew(at: now)
                try copy.note(asked.steps)
                if copy != before {
                    try visit.change {
                        $0.renew(at: now)
                        try $0.note(asked.steps)
                    }
                }
                let log = try StageFileGrowth.size(of: visit.logPath())
                return RunnerAnswer.Beat(
                    cancel: false,
                    leaseSeconds: Int(before.leaseLife),
                    logBytes: min(log, before.limits.logBytes),
                    isLogFull: log >= before.limits.logBytes,
                    archiveBytes: try StageFileGrowth.size(of: visit.archivePath()),
                )
            }
            return try json(answer)
        }
    }

    /// Answers `POST …/finish`; repeating it returns the same answer.
    @Sendable func finish(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering {
            let visit = try await visit(request, context)
            let asked = try await report(RunnerRequest.Finish.self, of: request)
            let outcome = RunnerStage.Outcome(
                ending: asked.ending,
                reason: asked.reason,
                archiveBytes: asked.archive?.bytes ?? 0,
            )
            let isKnown = try await site.work {
                try visit.stageInAnyState()?
                    .isFinished(by: visit.runner.name, as: visit.attempt, with: outcome) == true
            }
            if isKnown { return try json(RunnerAnswer.Nothing()) }
            let stage = try await site.work { try visit.renewed() }
            let done = Set(asked.steps.filter { $0.state == .succeeded }.map(\.index))
            guard asked.ending != .succeeded || done.isSuperset(of: stage.steps.map(\.index)) else {
                throw RunnerRefusal.badReport("steps", "the success of every step")
            }
            if let archive = asked.archive, archive.bytes > stage.limits.diskBytes {
                throw RunnerRefusal.tooLarge(.archive, limit: stage.limits.diskBytes)
            }
            try await reception.growing(try visit.archivePath()) { file in
                try await uploads.writing { try Self.settle(file, asked.archive) }
            }
            try await reception.growing(try visit.logPath()) { file in
                try await uploads.writing {
                    // Ends earlier requests, so that nothing is appended after the recorded size.
                    _ = try file.takeOver()
                    try file.sync()
                }
            }
            try await site.work { _ = try visit.change { try $0.finish(outcome, asked.steps) } }
            board.expects(visit.runner.name)
            return try json(RunnerAnswer.Nothing())
        }
    }

    /// Verifies that the archive is complete; blocks while reading it.
    private static func settle(
        _ file: StageFileGrowth,
        _ archive: RunnerRequest.Finish.Archive?,
    ) throws {
        let (_, count) = try file.takeOver()
        guard let archive else { return count > 0 ? try file.empty() : () }
        guard archive.bytes == count, count > 0 else {
            throw RunnerRefusal.incomplete(expected: archive.bytes, found: count)
        }
        guard try SHA256Digest(reading: FileSource(path: file.path)) == archive.sha256 else {
            try file.empty()
            throw RunnerRefusal.wrongDigest
        }
        try file.sync()
    }

    /// Answers `POST …/abandon`.
    @Sendable func abandon(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering {
            let visit = try await visit(request, context)
            let asked = try await report(RunnerRequest.Abandoning.self, of: request)
            let reason = RunnerStage.plain(asked.reason) ?? "no reason given"
            let isGivenBack = asked.givesBack == true
            let words = isGivenBack ? "returned the build" : "abandoned the build"
            try await site.work {
                _ = try visit.change {
                    $0.give(
                        up: "runner \(visit.runner.name) \(words): \(reason)",
                        isGivenBack: isGivenBack,
                    )
                }
            }
            board.expects(visit.runner.name)
            return try json(RunnerAnswer.Nothing())
        }
    }
}
