import Bytes
import Cryptography
import Essentials
import HTTPCalling

/// Reads, writes and deletes the objects of a bucket, whole or by ranges, with conditions.
///
/// Calls block, may come from several threads at once, and retry after temporary failures.
package struct S3Client: Sendable {
    package let caller: S3Caller

    package init(_ caller: S3Caller) {
        self.caller = caller
    }

    package var bucket: S3Bucket { caller.bucket }

    /// The most bytes of one read.
    package static let longestReading = 64 << 20
    /// The assumed size in bytes of an object of unknown size, for computing the timeout.
    private static let usualReading = 1 << 20

    /// The result of a conditional read.
    package enum Reading: Sendable {
        case found(S3Object)
        case missing
        /// It is unchanged.
        case known
        /// It is not the requested version any more.
        case changed
    }

    /// Reads an object.
    ///
    /// - Parameters:
    ///   - key: the key of the object.
    ///   - range: the range of bytes, which must start within the object; nil for the whole object.
    ///   - known: the version that the caller has; if it is current, the result is ``Reading/known``.
    ///   - wanted: the required version; otherwise the result is ``Reading/changed``.
    /// - Returns: the object, or why there is none.
    /// - Throws: ``S3Failure``; ``S3Failure/answerTooLarge(limit:)`` beyond ``longestReading``.
    package func read(
        _ key: String,
        range: Range<Int>? = nil,
        unless known: ETag? = nil,
        if wanted: ETag? = nil,
    ) throws(S3Failure) -> Reading {
        var call = S3Call(method: "GET", key: key, action: "s3:GetObject")
        call.longestAnswer = min(range?.count ?? Self.longestReading, Self.longestReading)
        // Otherwise the timeout would be minutes.
        if range == nil { call.expectedAnswer = Self.usualReading }
        // An error response may be longer than a short range.
        call.longestAnswer = max(call.longestAnswer, 64 << 10)
        if let range { call.headers["range"] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)" }
        if let known { call.headers["if-none-match"] = known.text }
        if let wanted { call.headers["if-match"] = wanted.text }
        let answer = try caller.outcome(of: call, accepting: [304, 404, 412, 416]).answer
        switch answer.status {
        case 304: return .known
        case 404: return try Self.missing(answer, call, bucket)
        case 412, 416: return .changed
        default:
            let object = S3Object(facts: try S3ObjectFacts(answer), bytes: answer.body)
            if let range {
                let expected = range.clamped(to: 0..<object.facts.size).count
                guard answer.status == 206 || range == 0..<object.facts.size,
                    object.bytes.count == expected
                else { throw .unreadable(reason: "it is not the range that was asked for") }
            } else if object.bytes.count != object.facts.size {
                throw .unreadable(reason: "it ends early")
            }
            return .found(object)
        }
    }

    /// The metadata of an object; nil if it does not exist.
    package func facts(of key: String) throws(S3Failure) -> S3ObjectFacts? {
        let call = S3Call(method: "HEAD", key: key, action: "s3:GetObject")
        let answer = try caller.outcome(of: call, accepting: [404]).answer
        return answer.status == 404 ? nil : try S3ObjectFacts(answer)
    }

    /// Writes a small object with its SHA-256, which the store verifies.
    ///
    /// - Throws: ``S3Failure``; if its ``S3Failure/leavesOutcomeOpen`` is true, the store may have written
    ///   the object.
    package func write(_ write: S3Write) throws(S3Failure) -> S3WriteOutcome {
        var call = S3Call(method: "PUT", key: write.key, action: "s3:PutObject")
        call.body = write.bytes
        call.headers = write.condition.headers
        call.headers["content-type"] = "application/octet-stream"
        call.headers["x-amz-checksum-sha256"] = Self.checksum(SHA256Digest(of: write.bytes))
        call.headers[S3ObjectFacts.prefix + S3Write.name] = write.kept.joined(separator: ",")
        for (name, value) in write.metadata { call.headers[S3ObjectFacts.prefix + name] = value }
        let outcome: S3Caller.Outcome
        do throws(S3Failure) {
            outcome = try caller.outcome(of: call, accepting: [404, 412])
        } catch {
            guard error.leavesOutcomeOpen, write.condition != .none,
                let done = try? self.done(write)
            else { throw error }
            return done
        }
        switch outcome.answer.status {
        case 404, 412:
            if outcome.answer.status == 404 {
                _ = try Self.missing(outcome.answer, call, bucket)
            }
            // The condition may fail because an earlier attempt succeeded and its response was lost.
            guard outcome.mayBeRepeated, let done = try done(write) else { return .refused }
            return done
        default:
            guard let etag = outcome.answer.headers["etag"].flatMap(ETag.init) else {
                throw .unreadable(reason: "it has no ETag")
            }
            return .stored(etag)
        }
    }

    /// The outcome of a write whose response was lost; nil if it was not executed.
    private func done(_ write: S3Write) throws(S3Failure) -> S3WriteOutcome? {
        guard let facts = try facts(of: write.key) else { return nil }
        if facts.writes.first == write.identifier { return .stored(facts.etag) }
        return facts.writes.contains(write.identifier) ? .replaced : nil
    }

    /// Deletes an object.
    ///
    /// - Returns: false if the condition is not true; true also if there was no object.
    package func delete(
        _ key: String,
        if condition: S3Condition = .none,
    ) throws(S3Failure) -> Bool {
        var call = S3Call(method: "DELETE", key: key, action: "s3:DeleteObject")
        call.headers = condition.headers
        let outcome = try caller.outcome(of: call, accepting: [404, 412])
        switch outcome.answer.status {
        case 412: return outcome.mayBeRepeated ? try facts(of: key) == nil : false
        case 404:
            _ = try Self.missing(outcome.answer, call, bucket)
            return true
        default: return true
        }
    }

    /// Treats a 404 as a missing object, unless it says that the bucket is missing.
    private static func missing(
        _ answer: CallAnswer,
        _ call: S3Call,
        _ bucket: S3Bucket,
    ) throws(S3Failure) -> Reading {
        let refusal = S3Refusal(answer)
        guard refusal.code != "NoSuchBucket" else {
            throw refusal.failure(for: call, in: bucket, ahead: nil)
        }
        return .missing
    }

    static func checksum(_ digest: SHA256Digest) -> String {
        Data(digest.bytes).base64EncodedString()
    }
}
