import Bytes
import Essentials
import HTTPCalling

/// An error response.
struct S3Refusal {
    let status: Int
    /// The error code, such as `NoSuchKey`; empty if the response has none, as for `HEAD`.
    let code: String
    let said: String
    private let region: String?

    init(_ answer: CallAnswer) {
        status = answer.status
        let error = AnswerElement.document(answer.body).flatMap { root in
            root.name == "Error" ? root : root["Error"]
        }
        code = PrintableText(escaping: error?.text("Code") ?? "", limit: 60).text
        said = PrintableText(escaping: error?.text("Message") ?? "", limit: 200).text
        region = (answer.headers["x-amz-bucket-region"] ?? error?.text("Region"))
            .map { PrintableText(escaping: $0, limit: 40).text }
    }

    /// Returns the failure for the response.
    ///
    /// - Parameters:
    ///   - call: the request.
    ///   - bucket: its bucket.
    ///   - ahead: the seconds by which this machine's clock is ahead; nil if the response has no date.
    /// - Returns: the failure; its ``S3Failure/isTemporary`` is true if a retry may succeed.
    func failure(for call: S3Call, in bucket: S3Bucket, ahead: Int?) -> S3Failure {
        switch code {
        case "SlowDown", "TooManyRequests", "RequestLimitExceeded":
            return .tooManyRequests(host: bucket.authority)
        case "NoSuchBucket": return .noBucket(bucket.name)
        case "RequestTimeTooSkewed": return .clockDiffers(seconds: ahead ?? 0)
        case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken":
            return .keyRefused(code: code)
        case "ExpiredToken", "TokenRefreshRequired": return .credentialsEnded
        case "BadDigest", "XAmzContentSHA256Mismatch", "InvalidDigest",
            "XAmzContentChecksumMismatch":
            return .otherBytes(key: call.key ?? "")
        case "RequestTimeout", "InternalError", "ConditionalRequestConflict", "OperationAborted":
            return .unavailable(host: bucket.authority, status: status, code: code)
        default: break
        }
        if let region, region != bucket.region,
            status == 301 || status == 307 || code == "AuthorizationHeaderMalformed"
        {
            return .otherRegion(bucket: bucket.name, region: region)
        }
        switch status {
        case 501: return .refused(status: status, code: code, said: said)
        case 429: return .tooManyRequests(host: bucket.authority)
        case 408, 409, 500..<600:
            return .unavailable(host: bucket.authority, status: status, code: code)
        case 401, 403:
            if let ahead, abs(ahead) > 15 * 60 { return .clockDiffers(seconds: ahead) }
            return .denied(action: call.action, bucket: bucket.name)
        default: return .refused(status: status, code: code, said: said)
        }
    }
}
