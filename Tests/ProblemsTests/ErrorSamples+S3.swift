import Problems
import S3

/// Values of the errors of object stores.
extension ErrorSamples {
    func objectStores() -> [any ReportableError] {
        var all: [any ReportableError] = []
        all +=
            [
                .endpoint("x"), .plainText("http://a.example"), .bucket("A"), .region("?"),
                .location("s3:/a"),
            ] as [MalformedS3Address]
        all +=
            [
                .unreachable(host: "a.example", reason: "connection refused"),
                .tooSlow(host: "a.example", seconds: 20),
                .untrusted(reason: "its certificate is for another name"),
                .unavailable(host: "a.example", status: 503, code: "InternalError"),
                .tooManyRequests(host: "a.example"), .silent(host: "a.example"),
                .answerTooLarge(limit: 1),
                .unreadable(reason: "it has no ETag"), .interrupted, .noBucket("a"),
                .otherRegion(bucket: "a", region: "eu-central-1"), .noCredentials,
                .badCredentialsFile(path: "/a", reason: "it cannot be read"),
                .keyRefused(code: "InvalidAccessKeyId"), .credentialsEnded,
                .clockDiffers(seconds: -1_000), .denied(action: "s3:PutObject", bucket: "a"),
                .refused(status: 400, code: "InvalidRequest", said: "No"),
                .ignoresConditions(host: "a.example"), .otherBytes(key: "a"),
                .source(reason: "ended early"),
            ] as [S3Failure]
        return all
    }
}
