import Bytes
package import Cryptography
import Essentials
package import HTTPCalling
import Problems
package import S3
package import Store

/// The location of a store in a bucket, and what this machine needs to open it.
package struct BucketAddress: Sendable, Equatable {
    package let location: S3Location
    package let bucket: S3Bucket
    /// Additional certificate authorities for the store's certificate.
    package let authorities: [Certificate]
    /// The folder of this machine for incoming bytes and for files that work needs; absolute.
    package let spool: String

    package init(
        location: S3Location,
        bucket: S3Bucket,
        authorities: [Certificate],
        spool: String,
    ) {
        self.location = location
        self.bucket = bucket
        self.authorities = authorities
        self.spool = spool
    }

    /// An identifier of the store that also depends on its endpoint: 16 hexadecimal digits.
    package static func name(of location: S3Location, in bucket: S3Bucket) -> String {
        let endpoint = bucket.endpoint
        let text =
            "\(endpoint.host)\n\(endpoint.port ?? 0)\n\(location.bucket)\n\(location.prefix)"
        return String(SHA256Digest(of: Array(text.utf8)).description.prefix(16))
    }
}

extension ObjectBackend {
    /// Opens the location of a store in a bucket, whether or not the store exists yet; creates the spool
    /// folder.
    ///
    /// - Parameters:
    ///   - address: the location.
    ///   - credentials: the credentials that sign requests.
    ///   - transport: sends requests; nil for connections that trust the address's certificate authorities.
    ///   - usesNote: whether to accept a test of conditional requests from the last day, recorded in the
    ///     spool, so that not every command repeats it.
    ///   - news: how often to check for changes by others.
    ///   - waiting: called with the host and the seconds when the store has not answered for some seconds,
    ///     until changes are followed.
    /// - Throws: ``StoreFailure/elsewhere(_:)`` for a store that is not reachable or ignores conditions,
    ///   and ``StoreFailure/system(_:)`` for a spool that cannot be created.
    package convenience init(
        at address: BucketAddress,
        credentials: (any BlockingCallTransport) -> any S3CredentialSource,
        transport: (any BlockingCallTransport)? = nil,
        usesNote: Bool,
        news: NewsTiming = NewsTiming(),
        waiting: (@Sendable (_ host: String, _ seconds: Int) -> Void)? = nil,
    ) throws(StoreFailure) {
        var connection: any BlockingCallTransport
        if let transport {
            connection = transport
        } else {
            do throws(CallTrouble) {
                connection = try CallClient(
                    authorities: address.authorities,
                    connecting: 10,
                    connections: 32,
                    loops: .own,
                )
            } catch {
                throw .elsewhere(S3Failure(error, from: address.bucket.endpoint.host).problem)
            }
        }
        var notice: WaitingNotice?
        if let waiting {
            let host = address.bucket.authority
            let made = WaitingNotice(connection) { waiting(host, $0) }
            connection = made
            notice = made
        }
        let spool = try DirectoryBackend(making: address.spool)
        let note = try ConditionsNote(in: spool, of: address)
        let known = usesNote ? note.read(at: Date()) : nil
        try self.init(
            client: S3Client(
                S3Caller(
                    bucket: address.bucket,
                    credentials: credentials(connection),
                    transport: connection,
                    timing: .real { Date() },
                )
            ),
            prefix: address.location.prefix,
            spool: address.spool,
            conditions: known,
            news: news,
            notice: notice,
            identifier: Self.randomIdentifier,
        )
        if known == nil { note.write(conditions, at: Date()) }
    }

    /// Returns a random identifier of 16 hexadecimal digits.
    package static let randomIdentifier: @Sendable () -> String = {
        randomBytes(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

/// The result of a test of a store's conditional requests, kept in the spool for a day.
private struct ConditionsNote {
    private struct Document: Codable {
        let address: String
        let holdForDeletion: Bool
        let tried: Date
    }

    private static let validity: TimeInterval = 24 * 3_600

    private let spool: DirectoryBackend
    private let address: String
    private let name: DocumentName

    init(in spool: DirectoryBackend, of address: BucketAddress) throws(StoreFailure) {
        self.spool = spool
        name = try DocumentName("conditions.json")
        self.address = BucketAddress.name(of: address.location, in: address.bucket)
    }

    /// Nil if there is none, it is too old, or it is of another store.
    func read(at now: Date) -> S3Client.Conditions? {
        guard let bytes = try? spool.read(name)?.bytes,
            let note = try? JSONDecoder().decode(Document.self, from: Data(bytes)),
            note.address.isBytes(of: address),
            (0..<Self.validity).contains(now.timeIntervalSince(note.tried))
        else { return nil }
        return S3Client.Conditions(holdForDeletion: note.holdForDeletion)
    }

    /// Saves the result; a failure only costs time.
    func write(_ conditions: S3Client.Conditions, at now: Date) {
        let note = Document(
            address: address,
            holdForDeletion: conditions.holdForDeletion,
            tried: now,
        )
        guard let data = try? JSONEncoder().encode(note) else { return }
        let there = try? spool.read(name)
        let condition = there.map { WriteCondition.version($0.version) } ?? .absent
        _ = try? spool.write(Array(data), to: name, if: condition)
    }
}
