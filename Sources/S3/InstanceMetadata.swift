import Bytes
import Essentials
import HTTPCalling

/// Credentials of an EC2 instance's role, from version 2 of the instance metadata service (IMDSv2).
///
/// [Source](https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-metadata-security-credentials.html).
struct InstanceMetadata: S3CredentialSource {
    /// A link-local address, reachable only from the instance itself, without TLS.
    private static let origin = "http://169.254.169.254"
    private static let roles = "/latest/meta-data/iam/security-credentials/"

    let transport: any BlockingCallTransport

    func credentials(at now: Date) throws(S3Failure) -> S3Credentials? {
        // Outside EC2 there is no response, or an unrelated one: then there are no credentials.
        guard
            let token = text(
                "PUT",
                "/latest/api/token",
                ["x-aws-ec2-metadata-token-ttl-seconds": "300"],
            )
        else { return nil }
        let access = ["x-aws-ec2-metadata-token": token]
        guard
            let role = text("GET", Self.roles, access)?.textLines.first?.trimmingWhitespace(),
            (1...64).contains(role.utf8.count),
            let path = role.utf8.allSatisfy(Self.isRoleByte)
                ? Self.roles + PercentEncoding.component(role) : nil,
            let document = text("GET", path, access)
        else { return nil }
        guard
            let answer = try? JSONDecoder().decode(Answer.self, from: Data(document.utf8)),
            answer.code.isBytes(of: "Success"),
            let end = try? Date(answer.expiration, strategy: .iso8601)
        else { throw .unreadable(reason: "the metadata of this machine has no credentials") }
        return S3Credentials(
            accessKey: answer.accessKey,
            secret: answer.secret,
            sessionToken: answer.token,
            expiration: end,
        )
    }

    private struct Answer: Decodable {
        let code: String
        let accessKey: String
        let secret: String
        let token: String
        let expiration: String

        enum CodingKeys: String, CodingKey {
            case code = "Code"
            case accessKey = "AccessKeyId"
            case secret = "SecretAccessKey"
            case token = "Token"
            case expiration = "Expiration"
        }
    }

    private func text(_ method: String, _ path: String, _ headers: [String: String]) -> String? {
        let request = CallRequest(
            method: method,
            address: Self.origin + path,
            headers: headers,
            body: method == "PUT" ? [] : nil,
            longestAnswer: 16 << 10,
            seconds: 2,
        )
        guard let answer = try? transport.waitForAnswer(to: request), answer.status == 200,
            !answer.body.isEmpty
        else { return nil }
        return String(validating: answer.body, as: UTF8.self)
    }

    /// Whether a byte may occur in a role's name.
    private static func isRoleByte(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || "+=,@".utf8.contains(byte)
    }
}
