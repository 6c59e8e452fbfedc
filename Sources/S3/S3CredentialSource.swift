package import Essentials
package import HTTPCalling
import Synchronization

/// A source of credentials; blocks while they are fetched.
package protocol S3CredentialSource: Sendable {
    /// - Returns: nil if this source has none.
    /// - Throws: ``S3Failure`` if it should have some, but they cannot be read.
    func credentials(at now: Date) throws(S3Failure) -> S3Credentials?
}

/// Fixed credentials.
extension S3Credentials: S3CredentialSource {
    package func credentials(at now: Date) -> S3Credentials? { self }
}

/// Uses the first of several sources that has credentials.
package struct S3CredentialChain: S3CredentialSource {
    private let sources: [any S3CredentialSource]

    package init(_ sources: [any S3CredentialSource]) {
        self.sources = sources
    }

    /// Uses the sources of AWS tools in their order: the environment, the shared file, and the instance
    /// metadata service.
    ///
    /// - Parameters:
    ///   - environment: the environment of the process.
    ///   - file: reads a file; returns nil if it does not exist.
    ///   - transport: sends requests to the metadata service, without TLS, to a link-local address.
    package init(
        environment: [String: String],
        file: @escaping @Sendable (String) -> [UInt8]?,
        transport: any BlockingCallTransport,
    ) {
        var sources: [any S3CredentialSource] = [
            EnvironmentCredentials(environment: environment),
            CredentialsFile(environment: environment, read: file),
        ]
        if environment["AWS_EC2_METADATA_DISABLED"]?.lowercased() != "true" {
            sources.append(InstanceMetadata(transport: transport))
        }
        self.init(sources)
    }

    package func credentials(at now: Date) throws(S3Failure) -> S3Credentials? {
        for source in sources {
            if let found = try source.credentials(at: now) { return found }
        }
        return nil
    }
}

/// Credentials from `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
struct EnvironmentCredentials: S3CredentialSource {
    let environment: [String: String]

    func credentials(at now: Date) -> S3Credentials? {
        guard let key = environment["AWS_ACCESS_KEY_ID"], !key.isEmpty,
            let secret = environment["AWS_SECRET_ACCESS_KEY"], !secret.isEmpty
        else { return nil }
        let token = environment["AWS_SESSION_TOKEN"]
        return S3Credentials(
            accessKey: key,
            secret: secret,
            sessionToken: token?.isEmpty == true ? nil : token,
        )
    }
}

/// Caches credentials until shortly before they expire, and then fetches new ones.
final class S3CredentialCache: Sendable {
    private let source: any S3CredentialSource
    private let now: @Sendable () -> Date
    private let kept = Mutex<S3Credentials?>(nil)

    init(_ source: any S3CredentialSource, now: @escaping @Sendable () -> Date) {
        self.source = source
        self.now = now
    }

    /// - Throws: ``S3Failure/noCredentials``, ``S3Failure/credentialsEnded``, and the errors of the source.
    func current() throws(S3Failure) -> S3Credentials {
        let moment = now()
        let known = kept.withLock { $0 }
        if let known, known.isFresh(at: moment) { return known }
        do throws(S3Failure) {
            guard let fetched = try source.credentials(at: moment) else {
                throw .noCredentials
            }
            guard fetched.isValid(at: moment) else { throw .credentialsEnded }
            kept.withLock { $0 = fetched }
            return fetched
        } catch {
            // Credentials that are still valid are used while fetching new ones fails.
            if let known, known.isValid(at: moment) { return known }
            throw error
        }
    }

    /// Drops cached credentials that the store refused, because the key may have been renewed.
    ///
    /// - Returns: whether there were any.
    func forget() -> Bool {
        kept.withLock { kept in
            defer { kept = nil }
            return kept != nil
        }
    }
}
