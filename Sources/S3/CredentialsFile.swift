import Bytes
import Essentials

/// The credentials file that AWS tools share: `~/.aws/credentials`, or the path in
/// `AWS_SHARED_CREDENTIALS_FILE`, with a section per profile.
///
/// It is read again whenever credentials are needed, so that a renewed key is used.
struct CredentialsFile: S3CredentialSource {
    private let path: String?
    private let profile: String
    private let read: @Sendable (String) -> [UInt8]?

    /// The maximum size of the file in bytes; it has a few lines per key.
    static let longest = 1 << 20

    init(environment: [String: String], read: @escaping @Sendable (String) -> [UInt8]?) {
        let named = environment["AWS_SHARED_CREDENTIALS_FILE"]
        path = named ?? environment["HOME"].map { $0 + "/.aws/credentials" }
        profile = environment["AWS_PROFILE"] ?? "default"
        self.read = read
        isNamed = named != nil || environment["AWS_PROFILE"] != nil
    }

    /// Whether the environment names the file or a profile, so that missing credentials are an error.
    private let isNamed: Bool

    func credentials(at now: Date) throws(S3Failure) -> S3Credentials? {
        guard let path else { return nil }
        guard let bytes = read(path) else {
            guard isNamed else { return nil }
            throw .badCredentialsFile(path: path, reason: "it cannot be read")
        }
        guard bytes.count <= Self.longest, let text = String(validating: bytes, as: UTF8.self)
        else {
            throw .badCredentialsFile(path: path, reason: "it is not a text of less than 1 MB")
        }
        guard let values = Self.section(profile, of: text) else {
            guard isNamed else { return nil }
            throw .badCredentialsFile(
                path: path,
                reason: "it has no profile \(PrintableText(escaping: profile, limit: 60))",
            )
        }
        guard let key = values["aws_access_key_id"], let secret = values["aws_secret_access_key"],
            !key.isEmpty, !secret.isEmpty
        else {
            throw .badCredentialsFile(
                path: path,
                reason: "its profile \(PrintableText(escaping: profile, limit: 60)) lacks "
                    + "aws_access_key_id or aws_secret_access_key",
            )
        }
        return S3Credentials(
            accessKey: key,
            secret: secret,
            sessionToken: values["aws_session_token"],
        )
    }

    /// The values of the section `[name]`, by lower-case names; nil if there is no such section.
    static func section(_ name: String, of text: String) -> [String: String]? {
        var values: [String: String]?
        var isInside = false
        for raw in text.textLines {
            let line = raw.trimmingWhitespace()
            if line.isEmpty || line.hasBytes(first: "#") || line.hasBytes(first: ";") { continue }
            if line.hasBytes(first: "["), line.hasBytes(last: "]") {
                isInside = line.dropFirst().dropLast().trimmingWhitespace().isBytes(of: name)
                if isInside, values == nil { values = [:] }
            } else if isInside, let mark = line.firstIndex(ofByte: "=") {
                let key = line[..<mark].trimmingWhitespace().lowercased()
                values?[key] = line[line.index(after: mark)...].trimmingWhitespace()
            }
        }
        return values
    }
}
