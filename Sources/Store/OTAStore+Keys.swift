import Bytes
package import Cryptography
import Essentials

extension OTAStore {
    /// The secret that signs install paths: 32 bytes, generated once and stored in `keys/`.
    package func capabilityKey() throws(StoreFailure) -> [UInt8] {
        try madeOnce(DocumentName(known: "keys", "capability.key"))
    }

    /// The secret that signs sessions: 32 bytes, generated once and stored in `keys/`.
    package func sessionKey() throws(StoreFailure) -> [UInt8] {
        try madeOnce(DocumentName(known: "keys", "session.key"))
    }

    /// The secret from which challenges for phones are made: 32 bytes, generated once and stored in
    /// `keys/`.
    package func enrolmentKey() throws(StoreFailure) -> [UInt8] {
        try madeOnce(DocumentName(known: "keys", "enrolment.key"))
    }

    /// The key that signs statements about releases: P-256, generated once and stored in `keys/`.
    ///
    /// - Throws: ``StoreFailure`` if it cannot be read or generated.
    package func provenanceKey() throws -> PrivateKey {
        let name = "provenance.pem"
        if try secret(name) == nil {
            let made = try PrivateKey.generate(.p256)
            // If another process was faster, its key is used.
            _ = try backend.writes(
                Array(made.pem.utf8),
                to: DocumentName("keys", name),
                if: .absent,
            )
        }
        guard let text = try secret(name) else { throw StoreFailure.missing(path: "keys/\(name)") }
        do {
            return try PrivateKey(pem: text)
        } catch {
            throw StoreFailure.unreadable(path: "keys/\(name)", offset: nil, reason: "\(error)")
        }
    }

    /// The name of the document of the certificate authority that a server creates if it was given no
    /// certificate.
    package static let developmentAuthorityName = "development-authority.pem"

    /// The certificate of that authority; nil if there is none, or if it cannot be read.
    package func developmentAuthority() throws(StoreFailure) -> Certificate? {
        try secret(Self.developmentAuthorityName)
            .flatMap { try? Certificate.chain(pem: $0).first }
    }

    /// A secret that is stored as text, such as the development authority; nil if there is none.
    package func secret(_ name: String) throws(StoreFailure) -> String? {
        try backend.knownDocument(DocumentName("keys", name)).map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
    }

    /// Stores a new secret, readable by the owner only.
    ///
    /// - Throws: ``StoreFailure/conflict(_:)`` if another process was faster; its secret must then be read.
    package func keep(secret text: String, as name: String) throws(StoreFailure) {
        _ = try backend.write(Array(text.utf8), to: DocumentName("keys", name), if: .absent)
    }

    /// Stores a secret in place of the existing one, readable by the owner only.
    package func replace(secret text: String, as name: String) throws(StoreFailure) {
        let document = try DocumentName("keys", name)
        let condition = try backend.read(document).map { WriteCondition.version($0.version) }
        _ = try backend.write(Array(text.utf8), to: document, if: condition ?? .absent)
        // The old secret would be useful only to a thief.
        try backend.forgetPrevious(of: document)
    }

    /// Keys that exist but cannot be used; missing keys are generated when they are needed.
    func keyProblems() -> [StoreProblem] {
        let keys = ["capability.key", "session.key", "enrolment.key"].compactMap { file in
            problem { () throws(StoreFailure) in _ = try key(DocumentName("keys", file)) }
        }
        let pairs = ["provenance.pem", "development-authority.pem", "development-certificate.pem"]
        return keys
            + pairs.compactMap { file in
                problem { () throws(StoreFailure) in
                    guard let text = try secret(file) else { return }
                    do {
                        _ = try PrivateKey(pem: text)
                    } catch {
                        throw .unreadable(path: "keys/\(file)", offset: nil, reason: "\(error)")
                    }
                }
            }
    }

    private func madeOnce(_ name: DocumentName) throws(StoreFailure) -> [UInt8] {
        if let key = try key(name) { return key }
        // If another process was faster, its key is used.
        let text = Hex.encode(randomBytes(32)) + "\n"
        _ = try backend.writes(Array(text.utf8), to: name, if: .absent)
        guard let key = try key(name) else { throw .missing(path: name.path) }
        return key
    }

    private func key(_ name: DocumentName) throws(StoreFailure) -> [UInt8]? {
        guard let document = try backend.knownDocument(name) else { return nil }
        let text = String(decoding: document.bytes, as: UTF8.self)
        guard let key = Hex.decode(text.trimmingWhitespace()),
            key.count == 32
        else {
            throw .unreadable(
                path: name.path,
                offset: nil,
                reason: "it is not 64 hexadecimal digits",
            )
        }
        return key
    }
}
