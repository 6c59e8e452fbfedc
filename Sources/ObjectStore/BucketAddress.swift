import Bytes
package import Cryptography
import Essentials
package import HTTPCalling
import Problems
package import S3
package import Store

/// Where a store in a bucket is, and what is needed to open it from this machine.
package struct BucketAddress: Sendable, Equatable {
    package let location: S3Location
    package let bucket: S3Bucket
    /// Authorities of the store's certificate, besides the system's.
    package let authorities: [Certificate]
    /// The folder of this machine for what is arriving and what work needs as files; absolute.
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

    /// What tells this store from every other one, also from one of the same name at another address:
    /// 16 hexadecimal digits.
    package static func name(of location: S3Location, in bucket: S3Bucket) -> String {
        let endpoint = bucket.endpoint
        let text =
            "\(endpoint.host)\n\(endpoint.port ?? 0)\n\(location.bucket)\n\(location.prefix)"
        return String(SHA256Digest(of: Array(text.utf8)).description.prefix(16))
    }
}

extension ObjectBackend {
    /// Opens the place of a store in a bucket, whether there is one yet or not; makes the spool.
    ///
    /// - Parameters:
    ///   - address: where it is.
    ///   - credentials: what its requests are signed with.
    ///   - transport: carries them; nil for connections that trust the address's authorities.
    ///   - usesNote: whether a trial of conditions within the last day counts, which is noted in the
    ///     spool, so that not every command pays for one.
    ///   - news: how often changes of others are looked for.
    ///   - waiting: says that the store has not answered for some seconds, until it is followed; gets its
    ///     host and the seconds.
    /// - Throws: ``StoreFailure/elsewhere(_:)`` for a store that is not reachable or ignores conditions,
    ///   and ``StoreFailure/system(_:)`` for a spool that cannot be made.
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

    /// 16 letters and digits that no one else has.
    package static let randomIdentifier: @Sendable () -> String = {
        randomBytes(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

/// What a trial of a store's conditions found, kept in the spool for a day.
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

    /// nil for none, an old one, and one of another store.
    func read(at now: Date) -> S3Client.Conditions? {
        guard let bytes = try? spool.read(name)?.bytes,
            let note = try? JSONDecoder().decode(Document.self, from: Data(bytes)),
            note.address.isBytes(of: address),
            (0..<Self.validity).contains(now.timeIntervalSince(note.tried))
        else { return nil }
        return S3Client.Conditions(holdForDeletion: note.holdForDeletion)
    }

    /// Only spares time, so that a failure to keep it is none.
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
