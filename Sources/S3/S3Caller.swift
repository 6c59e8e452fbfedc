import Cryptography
import Essentials
package import HTTPCalling

/// Signs requests, sends them, and retries after temporary failures.
package final class S3Caller: Sendable {
    package let bucket: S3Bucket
    package let timing: S3Timing
    /// Every attempt passes through it.
    package let gate: S3Gate
    private let credentials: S3CredentialCache
    private let transport: any BlockingCallTransport
    private let policy: S3RetryPolicy
    private let budget = S3RetryBudget()

    package init(
        bucket: S3Bucket,
        credentials: any S3CredentialSource,
        transport: any BlockingCallTransport,
        policy: S3RetryPolicy = S3RetryPolicy(),
        timing: S3Timing,
    ) {
        self.bucket = bucket
        self.credentials = S3CredentialCache(credentials, now: timing.now)
        self.transport = transport
        self.policy = policy
        self.timing = timing
        gate = S3Gate()
    }

    private init(watching other: S3Caller, _ policy: S3RetryPolicy) {
        bucket = other.bucket
        credentials = other.credentials
        transport = other.transport
        timing = other.timing
        self.policy = policy
        gate = S3Gate()
    }

    /// Returns a caller for polling whether the store answers: it has its own gate, makes one attempt, and
    /// waits at most `seconds`, bodies included.
    package func watching(for seconds: Int) -> S3Caller {
        var policy = S3RetryPolicy()
        policy.attempts = 1
        policy.answering = seconds
        policy.slowest = .max
        return S3Caller(watching: self, policy)
    }

    /// The response to a call.
    struct Outcome {
        let answer: CallAnswer
        /// Whether an earlier attempt may have succeeded although its response was lost.
        let mayBeRepeated: Bool
    }

    /// Sends a call, with retries, until there is a final response.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - accepted: status codes above 299 that the caller handles.
    /// - Returns: a response with a status code below 300, or with an accepted one.
    /// - Throws: ``S3Failure``; if its ``S3Failure/leavesOutcomeOpen`` is true, the store may have executed
    ///   the call.
    func outcome(
        of call: S3Call,
        accepting accepted: Set<Int> = [],
    ) throws(S3Failure) -> Outcome {
        let start = timing.now()
        var attempt = 1
        var mayBeRepeated = false
        var hasRenewed = false
        while true {
            try gate.pass()
            let failure: S3Failure
            do throws(S3Failure) {
                let answer = try once(call)
                // A 412 in response to a retry may be caused by the first attempt; a 409 means that nothing
                // was done.
                if answer.status < 300 || (accepted.contains(answer.status) && answer.status != 409)
                {
                    if attempt == 1 { budget.put() }
                    return Outcome(answer: answer, mayBeRepeated: mayBeRepeated)
                }
                let ahead = answer.date.map { Int(timing.now().timeIntervalSince($0).rounded()) }
                failure = S3Refusal(answer).failure(for: call, in: bucket, ahead: ahead)
                if answer.status >= 500 { mayBeRepeated = true }
            } catch {
                failure = error
                if failure.leavesOutcomeOpen { mayBeRepeated = true }
            }
            if Self.isAboutCredentials(failure), !hasRenewed, credentials.forget() {
                hasRenewed = true
                continue
            }
            let passed = timing.now().timeIntervalSince(start)
            guard failure.isTemporary,
                let pause = policy.pause(
                    after: attempt,
                    passed: passed,
                    random: timing.random(),
                ), budget.take()
            else { throw failure.waited(passed) }
            attempt += 1
            timing.pause(pause)
        }
    }

    /// Returns a presigned URL.
    ///
    /// - Parameters:
    ///   - method: `GET` or `HEAD`; the signature is valid for this method only.
    ///   - key: the key of the object.
    ///   - query: additional parameters, such as `response-content-type`.
    ///   - seconds: how long it is valid, 1 to 604,800; it also expires with temporary credentials.
    /// - Returns: the URL, which must not be logged.
    /// - Throws: ``S3Failure`` if there are no credentials.
    package func address(
        _ method: String,
        of key: String,
        query: [(name: String, value: String)] = [],
        lasting seconds: Int,
    ) throws(S3Failure) -> String {
        let signer = RequestSigner(credentials: try credentials.current(), region: bucket.region)
        let path = bucket.path(of: key)
        let subject = RequestSigner.Subject(
            method: method,
            path: path,
            query: query,
            headers: ["host": bucket.authority],
        )
        let text = signer.query(for: subject, lasting: seconds, from: timing.now())
        return "\(bucket.endpoint.scheme)://\(bucket.authority)\(path)?\(text)"
    }

    /// Whether the store answers `HEAD` at a URL that is signed for `GET`; most do not, because the
    /// signature covers the method.
    ///
    /// - Parameter key: the key of an existing object.
    /// - Returns: whether the status code is 200.
    /// - Throws: ``S3Failure`` if the store does not answer.
    package func answersHead(whereSignedForGet key: String) throws(S3Failure) -> Bool {
        let request = CallRequest(
            method: "HEAD",
            address: try address("GET", of: key, lasting: 60),
            headers: ["host": bucket.authority],
            body: nil,
            longestAnswer: 64 << 10,
            seconds: policy.answering,
        )
        do throws(CallTrouble) {
            return try transport.waitForAnswer(to: request).status == 200
        } catch {
            throw S3Failure(error, from: bucket.authority)
        }
    }

    private func once(_ call: S3Call) throws(S3Failure) -> CallAnswer {
        let signer = RequestSigner(credentials: try credentials.current(), region: bucket.region)
        let path = bucket.path(of: call.key)
        let headers = call.headers.merging(["host": bucket.authority]) { _, new in new }
        let subject = RequestSigner.Subject(
            method: call.method,
            path: path,
            query: call.query,
            headers: headers,
        )
        let added = signer.headers(
            for: subject,
            payload: (call.flowing?.digest ?? SHA256Digest(of: call.body)).description,
            at: timing.now(),
        )
        let query = PercentEncoding.query(call.query)
        let origin = "\(bucket.endpoint.scheme)://\(bucket.authority)"
        let sendsBody = !call.body.isEmpty || call.method == "PUT" || call.method == "POST"
        let request = CallRequest(
            method: call.method,
            address: origin + path + (query.isEmpty ? "" : "?" + query),
            headers: headers.merging(added) { _, new in new },
            body: sendsBody ? call.body : nil,
            flowingBody: call.flowing?.body,
            longestAnswer: call.longestAnswer,
            seconds: policy.seconds(
                for: max(
                    call.flowing?.body.count ?? call.body.count,
                    call.expectedAnswer ?? call.longestAnswer,
                )
            ),
        )
        do throws(CallTrouble) {
            return try transport.waitForAnswer(to: request)
        } catch {
            throw S3Failure(error, from: bucket.authority)
        }
    }

    private static func isAboutCredentials(_ failure: S3Failure) -> Bool {
        switch failure {
        case .credentialsEnded, .keyRefused: true
        default: false
        }
    }
}
