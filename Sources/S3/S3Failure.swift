import Bytes
import Essentials
package import Problems

/// Why a request to an S3-compatible store failed.
package enum S3Failure: ReportableError, Equatable {
    // `host` includes the port if the endpoint has one.

    /// The connection could not be established, or closed before the response.
    case unreachable(host: String, reason: String)
    case tooSlow(host: String, seconds: Int)
    case untrusted(reason: String)
    /// The store still returned an error after all attempts; `code` is its error code.
    case unavailable(host: String, status: Int, code: String)
    /// The store still asked for fewer requests after all attempts.
    case tooManyRequests(host: String)
    /// The store has not answered for some time; no requests are sent until it answers again.
    case silent(host: String)
    case answerTooLarge(limit: Int)
    /// The response does not conform to the S3 API.
    case unreadable(reason: String)
    case interrupted
    case noBucket(String)
    /// The bucket is in another region than the signature's.
    case otherRegion(bucket: String, region: String)
    /// No source has credentials.
    case noCredentials
    case badCredentialsFile(path: String, reason: String)
    /// The store does not know the key, or the secret does not match.
    case keyRefused(code: String)
    /// The credentials have expired, and there are no new ones.
    case credentialsEnded
    /// The number of seconds by which this machine's clock is ahead of the store's; negative if it is
    /// behind.
    case clockDiffers(seconds: Int)
    /// The policy denies the action, such as `s3:PutObject`.
    case denied(action: String, bucket: String)
    /// Any other error, with the store's message.
    case refused(status: Int, code: String, said: String)
    /// The store executes writes whose condition is not true.
    case ignoresConditions(host: String)
    /// The object does not have the bytes that were sent.
    case otherBytes(key: String)
    /// The bytes to send could not be read.
    case source(reason: String)
}

extension S3Failure {
    package var description: String {
        switch self {
        case .unreachable(let host, let reason): "cannot reach the store at \(host): \(reason)"
        case .tooSlow(let host, let seconds):
            "the store at \(host) did not answer within \(seconds) "
                + (seconds == 1 ? "second" : "seconds")
        case .untrusted(let reason): "the store cannot be trusted: \(reason)"
        case .unavailable(let host, let status, let code):
            "the store at \(host) is not working at the moment: status \(status)"
                + (code.isEmpty ? "" : ", \(quoted: code)")
        case .tooManyRequests(let host): "the store at \(host) asks for fewer requests"
        case .silent(let host): "the store at \(host) does not answer at the moment"
        case .answerTooLarge(let limit):
            "the store sent an answer of more than \(limit.grouped) bytes"
        case .unreadable(let reason): "the store sent an answer that cannot be read: \(reason)"
        case .interrupted: "the request to the store was interrupted"
        case .noBucket(let name): "there is no bucket \(name)"
        case .otherRegion(let bucket, let region):
            "the bucket \(bucket) is in the region \(quoted: region)"
        case .noCredentials: "there are no credentials for the object store"
        case .badCredentialsFile(let path, let reason):
            "the credentials file \(path) cannot be used: \(reason)"
        case .keyRefused(let code): "the store refused the access key: \(quoted: code)"
        case .credentialsEnded: "the credentials for the object store have expired"
        case .clockDiffers(let seconds):
            seconds > 0
                ? "the clock of this machine is \(seconds) seconds ahead of the store's"
                : "the clock of this machine is \(-seconds) seconds behind the store's"
        case .denied(let action, let bucket):
            "the access key may not \(action) in the bucket \(bucket)"
        case .refused(let status, let code, let said):
            "the store refused: status \(status), \(quoted: code)"
                + (said.isEmpty ? "" : ": \(quoted: said)")
        case .ignoresConditions(let host):
            "the store at \(host) ignores the conditions of writes, so two servers would overwrite each "
                + "other"
        case .otherBytes(let key):
            "the bytes that the store has under \(key) are not the ones that were sent"
        case .source(let reason): "what is to be stored cannot be read: \(reason)"
        }
    }

    package var id: String {
        switch self {
        case .unreachable: "s3.unreachable"
        case .tooSlow: "s3.too-slow"
        case .untrusted: "s3.untrusted"
        case .unavailable: "s3.unavailable"
        case .tooManyRequests: "s3.too-many-requests"
        case .silent: "s3.silent"
        case .answerTooLarge: "s3.answer-too-large"
        case .unreadable: "s3.unreadable"
        case .interrupted: "s3.interrupted"
        case .noBucket: "s3.no-bucket"
        case .otherRegion: "s3.other-region"
        case .noCredentials: "s3.no-credentials"
        case .badCredentialsFile: "s3.bad-credentials-file"
        case .keyRefused: "s3.key-refused"
        case .credentialsEnded: "s3.credentials-ended"
        case .clockDiffers: "s3.clock-differs"
        case .denied: "s3.denied"
        case .refused: "s3.refused"
        case .ignoresConditions: "s3.ignores-conditions"
        case .otherBytes: "s3.other-bytes"
        case .source: "s3.source"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .unreachable, .tooSlow, .untrusted, .unavailable, .tooManyRequests, .silent,
            .answerTooLarge, .unreadable, .interrupted, .clockDiffers, .keyRefused,
            .credentialsEnded, .denied,
            .otherBytes, .source:
            .unavailable
        case .noBucket, .otherRegion, .noCredentials, .badCredentialsFile, .ignoresConditions:
            .invalid
        case .refused: .failed
        }
    }

    package var fix: String {
        switch self {
        case .silent: "try again when the store answers; this server then continues automatically"
        case .unreachable, .tooSlow: "check the address of the store, the network and the store"
        case .untrusted:
            "give the authority of the store's certificate as a PEM file, with --store-ca-file FILE or "
                + "OTA_STORE_CA_FILE"
        case .unavailable, .tooManyRequests, .interrupted: "try again in a minute"
        case .answerTooLarge, .unreadable: "check that the address is one of an S3-compatible store"
        case .noBucket: "create the bucket, or correct its name"
        case .otherRegion(_, let region):
            "give the region with --store-region \(region) or OTA_STORE_REGION"
        case .noCredentials:
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE, or "
                + "give the machine a role"
        case .badCredentialsFile: "correct the file, or give another one"
        case .keyRefused: "check the access key and its secret"
        case .credentialsEnded: "renew the credentials; those of a role renew themselves"
        case .clockDiffers: "synchronise the clock of this machine with a time server"
        case .denied(let action, _):
            "allow \(action) in the policy of the bucket or of the key, and check the key and its "
                + "secret, as some stores answer a wrong one in the same way"
        case .refused: "look up the code in the documentation of the store"
        case .ignoresConditions:
            "use a store that supports If-Match and If-None-Match, such as Amazon S3, R2, Ceph, MinIO "
                + "or SeaweedFS"
        case .otherBytes: "try again; if it happens again, check the store and the network"
        case .source: "check the disk of this machine"
        }
    }
}

extension S3Failure {
    /// Whether a retry may succeed.
    var isTemporary: Bool {
        switch self {
        case .unreachable, .tooSlow, .unavailable, .tooManyRequests: true
        default: false
        }
    }

    /// The failure of a call with several attempts, which names the time that all of them took.
    func waited(_ passed: TimeInterval) -> S3Failure {
        guard case .tooSlow(let host, let seconds) = self else { return self }
        return .tooSlow(host: host, seconds: max(seconds, Int(passed)))
    }

    /// Whether the store may have executed the request despite this failure.
    var leavesOutcomeOpen: Bool {
        switch self {
        case .unreachable, .tooSlow, .unavailable, .unreadable, .answerTooLarge, .interrupted: true
        default: false
        }
    }
}
