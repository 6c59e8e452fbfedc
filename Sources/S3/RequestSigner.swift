import Bytes
import Cryptography
import Essentials

/// Signs requests with AWS Signature Version 4 for the service `s3`.
///
/// See the documentation of
/// [headers](https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html) and [presigned
/// URLs](https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html).
struct RequestSigner {
    let credentials: S3Credentials
    let region: String

    /// The parts of a request that a signature covers.
    struct Subject {
        let method: String
        /// Percent-encoded.
        let path: String
        let query: [(name: String, value: String)]
        /// By lower-case names, including `host`.
        let headers: [String: String]
    }

    /// Returns the headers to add to those of the subject.
    ///
    /// - Parameters:
    ///   - subject: the request.
    ///   - payload: the SHA-256 of its body in hexadecimal.
    ///   - date: the time by this machine's clock, which may differ from the store's by 15 minutes.
    /// - Returns: `authorization`, `x-amz-date`, `x-amz-content-sha256` and, for temporary credentials,
    ///   `x-amz-security-token`.
    func headers(for subject: Subject, payload: String, at date: Date) -> [String: String] {
        let moment = SigningMoment(date)
        var added = ["x-amz-date": moment.text, "x-amz-content-sha256": payload]
        if let token = credentials.sessionToken { added["x-amz-security-token"] = token }
        let signed = subject.headers.merging(added) { _, new in new }
        let names = signed.keys.sorted()
        let canonical = Self.canonical(subject, headers: signed, names: names, payload: payload)
        let list = names.joined(separator: ";")
        added["authorization"] =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope(moment)),"
            + "SignedHeaders=\(list),Signature=\(signature(of: canonical, at: moment))"
        return added
    }

    /// Returns the query of a presigned URL.
    ///
    /// - Parameters:
    ///   - subject: the request, with `host` as its only header.
    ///   - seconds: how long the URL is valid, 1 to 604,800.
    ///   - date: when its validity starts.
    /// - Returns: the whole query, percent-encoded.
    func query(for subject: Subject, lasting seconds: Int, from date: Date) -> String {
        let moment = SigningMoment(date)
        let names = subject.headers.keys.sorted()
        var items = subject.query
        items += [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
            ("X-Amz-Credential", "\(credentials.accessKey)/\(scope(moment))"),
            ("X-Amz-Date", moment.text),
            ("X-Amz-Expires", String(min(max(seconds, 1), 604_800))),
            ("X-Amz-SignedHeaders", names.joined(separator: ";")),
        ]
        if let token = credentials.sessionToken { items.append(("X-Amz-Security-Token", token)) }
        let whole = Subject(
            method: subject.method,
            path: subject.path,
            query: items,
            headers: subject.headers,
        )
        let canonical = Self.canonical(
            whole,
            headers: subject.headers,
            names: names,
            payload: "UNSIGNED-PAYLOAD",
        )
        return PercentEncoding.query(items)
            + "&X-Amz-Signature=\(signature(of: canonical, at: moment))"
    }

    private static func canonical(
        _ subject: Subject,
        headers: [String: String],
        names: [String],
        payload: String,
    ) -> String {
        let lines = names.map { "\($0):\(headers[$0, default: ""].trimmingWhitespace())\n" }
        return [
            subject.method, subject.path, PercentEncoding.query(subject.query), lines.joined(),
            names.joined(separator: ";"), payload,
        ].joined(separator: "\n")
    }

    private func scope(_ moment: SigningMoment) -> String {
        "\(moment.day)/\(region)/s3/aws4_request"
    }

    private func signature(of canonical: String, at moment: SigningMoment) -> String {
        let digest = SHA256Digest(of: Array(canonical.utf8))
        let text = "AWS4-HMAC-SHA256\n\(moment.text)\n\(scope(moment))\n\(digest)"
        var key = Array("AWS4\(credentials.secret)".utf8)
        for part in [moment.day, region, "s3", "aws4_request"] {
            key = authenticationCode(of: Array(part.utf8), key: key)
        }
        return Hex.encode(authenticationCode(of: Array(text.utf8), key: key))
    }
}

/// A time in the format of signatures, `20130524T000000Z`, and its day, `20130524`.
struct SigningMoment: Equatable {
    let text: String
    let day: String

    init(_ date: Date) {
        let seconds = Int(min(max(date.timeIntervalSince1970, 0), 250_000_000_000))
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let civil = CivilDay(daysSince1970: days)
        let clock = [rest / 3600, rest / 60 % 60, rest % 60].map { Self.padded($0, 2) }
        day =
            Self.padded(civil.year, 4) + Self.padded(civil.month, 2) + Self.padded(civil.day, 2)
        text = "\(day)T\(clock.joined())Z"
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
