package import Essentials
package import HTTPCalling
import Synchronization

/// Where credentials come from; blocks while they are fetched.
package protocol S3CredentialSource: Sendable {
    /// - Returns: nil where this source has none.
    /// - Throws: ``S3Failure`` where it should have some, and they cannot be read.
    func credentials(at now: Date) throws(S3Failure) -> S3Credentials?
}

/// Credentials that are known.
extension S3Credentials: S3CredentialSource {
    package func credentials(at now: Date) -> S3Credentials? { self }
}

/// The first source of several that has credentials.
package struct S3CredentialChain: S3CredentialSource {
    private let sources: [any S3CredentialSource]

    package init(_ sources: [any S3CredentialSource]) {
        self.sources = sources
    }

    /// The places where the programs of Amazon look, in their order: the environment, the shared file,
    /// and the metadata of the machine.
    ///
    /// - Parameters:
    ///   - environment: of the process.
    ///   - file: reads a file; nil where there is none.
    ///   - transport: reaches the metadata, without TLS, at an address of this machine alone.
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

/// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
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

/// Keeps credentials until shortly before they end, and fetches them again then.
final class S3CredentialCache: Sendable {
    private let source: any S3CredentialSource
    private let now: @Sendable () -> Date
    private let kept = Mutex<S3Credentials?>(nil)

    init(_ source: any S3CredentialSource, now: @escaping @Sendable () -> Date) {
        self.source = source
        self.now = now
    }

    /// - Throws: ``S3Failure/noCredentials``, ``S3Failure/credentialsEnded``, and what the source throws.
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
            // Those that still hold are used while no new ones come.
            if let known, known.isValid(at: moment) { return known }
            throw error
        }
    }

    /// Drops credentials that a store refused, for a key may have been renewed behind them.
    ///
    /// - Returns: whether there were any.
    func forget() -> Bool {
        kept.withLock { kept in
            defer { kept = nil }
            return kept != nil
        }
    }
}
