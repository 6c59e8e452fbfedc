import Bytes
import Cryptography
import Foundation
package import Uploads

/// Publishes a build on a server, and resumes the upload if the connection or the server fails.
package struct UploadClient: Sendable {
    /// The progress of a publish.
    package enum Progress: Sendable, Equatable {
        /// The number of bytes that were read for sending, or that the server is known to have, and the
        /// file's size.
        case sending(Int, of: Int)
        /// What the server is doing: `queued`, `checking`, `storing`; with a fraction from 0 to 1.
        case publishing(phase: String, fraction: Double)
        /// Something failed that another attempt may fix, after this many seconds.
        case waiting(seconds: Double, why: String)
    }

    private let requests: UploadRequests
    private let patience: UploadPatience
    private let pause: @Sendable (Double) async throws -> Void
    private let chance: @Sendable () -> Double

    /// - Parameters:
    ///   - connection: the server and the token.
    ///   - patience: how long to retry.
    ///   - pause: waits for the given number of seconds.
    ///   - chance: returns a random number from 0 to 1, so that many publishers do not retry at the same
    ///     time.
    package init(
        over connection: ServerConnection,
        patience: UploadPatience = UploadPatience(),
        pause: @escaping @Sendable (Double) async throws -> Void = {
            try await Task.sleep(for: .seconds($0))
        },
        chance: @escaping @Sendable () -> Double = { .random(in: 0...1) },
    ) {
        requests = UploadRequests(connection: connection)
        self.patience = patience
        self.pause = pause
        self.chance = chance
    }

    /// Uploads a file and waits for the result of the publish.
    ///
    /// A build that was only checked is removed from the server afterwards.
    ///
    /// - Returns: the server's final response: 201 or 200 with the JSON of `publish --json`, or a refusal.
    /// - Throws: ``UploadFailure`` if the server cannot be reached for too long.
    package func publish(
        _ offer: UploadOffer,
        from path: String,
        progress: @escaping @Sendable (Progress) -> Void = { _ in },
    ) async throws -> UploadAnswer {
        let source = try FileSource(path: path)
        var course = UploadCourse()
        while true {
            do {
                if let answer = try await step(&course, offer, source, progress) {
                    if offer.checkOnly { await drop(course.upload) }
                    return answer
                }
            } catch let failure as UploadFailure {
                try await wait(&course, failure, progress)
            }
        }
    }

    /// Sends one request, and handles its response.
    ///
    /// - Returns: the final response, once there is one.
    private func step(
        _ course: inout UploadCourse,
        _ offer: UploadOffer,
        _ source: FileSource,
        _ progress: @escaping @Sendable (Progress) -> Void,
    ) async throws -> UploadAnswer? {
        guard let upload = course.upload else { return try await begin(&course, offer, progress) }
        if course.isLost {
            switch try await find(&course, upload, of: offer.size) {
            case .missing: break
            case .whole: return try await outcome(&course, upload, progress)
            case .refused(let answer): return answer
            }
        }
        progress(.sending(course.offset, of: offer.size))
        let range = course.pieces.range(from: course.offset, of: offer.size)
        let isLast = range.upperBound == offer.size
        let size = offer.size
        let piece = UploadFile(source: source, range: range) {
            progress(.sending($0, of: size))
        }
        let answer = try await requests.append(upload, piece, isLast: isLast)
        switch answer.status {
        case 204 where !isLast:
            try course.advance(to: answer.offset, of: offer.size)
            return nil
        case 202 where isLast:
            try course.advance(to: size, of: size)
            progress(.sending(size, of: size))
            return try await outcome(&course, upload, progress)
        case 413 where !answer.isOurs && course.pieces.shrink():
            course.isLost = true
            return nil
        default:
            return try course.judge(answer)
        }
    }

    private func begin(
        _ course: inout UploadCourse,
        _ offer: UploadOffer,
        _ progress: @escaping @Sendable (Progress) -> Void,
    ) async throws -> UploadAnswer? {
        let answer = try await requests.begin(offer)
        guard [200, 201, 202].contains(answer.status), answer.isOurs else {
            return try course.judge(answer)
        }
        guard let upload = answer.location else {
            throw UploadFailure.notUnderstood("it gave no address for the upload")
        }
        if let limit = answer.limit { course.pieces.keep(to: limit) }
        // A server without support for checks would publish the build.
        guard !offer.checkOnly || (try? answer.standing())?.checkOnly == true else {
            await drop(upload)
            throw UploadFailure.noChecks
        }
        course.upload = upload
        if answer.isComplete == true {
            guard answer.status == 202 else { return answer.last }
            return try await outcome(&course, upload, progress)
        }
        course.offset = min(answer.offset ?? 0, offer.size)
        return nil
    }

    /// Removes an upload.
    ///
    /// The server does so itself within a day if this request fails.
    private func drop(_ upload: UploadIdentifier?) async {
        guard let upload else { return }
        _ = try? await requests.cancel(upload)
    }

    private enum Found {
        /// The server lacks the bytes from the offset of the course on.
        case missing
        case whole
        case refused(UploadAnswer)
    }

    /// Asks how many bytes the server has.
    private func find(
        _ course: inout UploadCourse,
        _ upload: UploadIdentifier,
        of size: Int,
    ) async throws -> Found {
        let answer = try await requests.offset(of: upload)
        // A response to `HEAD` has no body with an error's identifier.
        if answer.status == 404, course.beginAnew() { throw UploadFailure.lost }
        if answer.isPassing {
            throw UploadFailure.unable(answer.last, retryAfter: answer.retryAfter)
        }
        guard answer.status == 204, let offset = answer.offset else {
            return try await ask(&course, upload, of: size)
        }
        try course.advance(to: min(offset, size), of: size)
        course.isLost = false
        return answer.isComplete == true ? .whole : .missing
    }

    /// Asks with `GET` for what the response to `HEAD` does not contain.
    private func ask(
        _ course: inout UploadCourse,
        _ upload: UploadIdentifier,
        of size: Int,
    ) async throws -> Found {
        let answer = try await requests.status(of: upload)
        guard answer.status == 200 else { return .refused(try course.judge(answer)) }
        let status = try answer.standing()
        guard status.state == .receiving else { return .whole }
        try course.advance(to: min(status.offset, size), of: size)
        course.isLost = false
        return .missing
    }

    /// Waits while the server publishes.
    ///
    /// - Throws: ``UploadFailure``, also if the server is waiting for bytes again.
    private func outcome(
        _ course: inout UploadCourse,
        _ upload: UploadIdentifier,
        _ progress: @escaping @Sendable (Progress) -> Void,
    ) async throws -> UploadAnswer {
        course.isLost = true
        var interval = 0.1
        while true {
            let answer = try await requests.status(of: upload)
            guard answer.status == 200 else { return try course.judge(answer) }
            let status = try answer.standing()
            switch status.state {
            case .finished, .checked:
                guard let last = answer.outcome else {
                    throw UploadFailure.notUnderstood("its answer is not JSON")
                }
                return last
            case .receiving:
                course.failedPublishes += 1
                guard let last = answer.outcome, last.status >= 500 else {
                    throw UploadFailure.outOfStep
                }
                throw UploadFailure.unable(last)
            case .publishing:
                course.failures = 0
                progress(
                    .publishing(phase: status.phase ?? "queued", fraction: status.fraction ?? 0)
                )
                try await pause(interval)
                interval = min(1, interval * 1.5)
            }
        }
    }

    /// Waits before the next attempt, or throws the failure if there will be none.
    private func wait(
        _ course: inout UploadCourse,
        _ failure: UploadFailure,
        _ progress: @Sendable (Progress) -> Void,
    ) async throws {
        course.isLost = course.upload != nil
        course.failures += 1
        guard failure.isPassing,
            let seconds = patience.wait(
                after: max(course.failures, course.failedPublishes),
                chance: chance(),
                asked: failure.retryAfter,
            )
        else { throw failure }
        progress(.waiting(seconds: seconds, why: failure.description))
        try await pause(seconds)
    }
}
