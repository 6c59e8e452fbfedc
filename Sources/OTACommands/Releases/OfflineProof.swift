import Bytes
import Cryptography
import Problems
import Provenance
import Publishing

/// Verification of a statement with a given key and IPA, without a store or server.
struct OfflineProof {
    let statement: String
    let key: String
    let ipa: String

    /// - Throws: `ProvenanceRefusal` if something does not agree, and ``Problem`` for files that cannot be
    ///   read.
    func result() throws -> OfflineProofResult {
        let bytes = try TextInput.bytes(statement, limit: SignedEnvelope.sizeLimit)
        let publicKey = try KeyFile.publicKey(in: key)
        let digest = try SHA256Digest(reading: BuildFile(argument: ipa).source())
        do throws(ProvenanceRefusal) {
            let envelope = try SignedEnvelope(json: bytes)
            let proven = try ProvenanceStatement(proving: envelope, about: digest, by: publicKey)
            return OfflineProofResult(
                statement: proven,
                sha256: digest,
                key: publicKey.fingerprint,
                file: ipa,
            )
        } catch {
            throw Problem(
                id: error.id,
                kind: error.kind,
                message: error.description,
                place: statement,
                fix: Self.fix(error),
            )
        }
    }

    /// A user who has only the files can do nothing but download them again.
    private static func fix(_ refusal: ProvenanceRefusal) -> String {
        switch refusal {
        case .otherKey:
            "get the key from the server that published it, not from the source of the file"
        case .otherBytes: "do not install it; get the IPA and its statement from the server again"
        case .none, .unreadable, .badSignature, .otherRecord:
            "get the statement from the server again; this one was changed"
        }
    }
}

/// What a statement alone proves.
struct OfflineProofResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let app, release, sha256: String
        let verified = true
        let keyid: String
        let statement: ProvenanceStatement
    }

    let statement: ProvenanceStatement
    let sha256: SHA256Digest
    let key: PublicKey.Fingerprint
    let file: String

    var document: Document {
        Document(
            app: parameters.bundleIdentifier,
            release: release,
            sha256: sha256.description,
            keyid: key.description,
            statement: statement,
        )
    }

    func text(style: Style) -> String {
        style.good("Verified.")
            + " \(file.printable) is \(parameters.bundleIdentifier.printable) \(release.printable) "
            + "as it was published.\n" + statement.facts(style: style, signedBy: key)
    }

    private var parameters: ProvenanceStatement.Parameters {
        statement.predicate.buildDefinition.externalParameters
    }

    private var release: String { "\(parameters.version)-\(parameters.build)" }
}

extension ProvenanceStatement {
    /// The facts of a verified statement, one per line, and the key that signed it.
    func facts(style: Style, signedBy key: PublicKey.Fingerprint) -> String {
        let definition = predicate.buildDefinition
        let parameters = definition.externalParameters
        let rows: [(String, String?)] = [
            ("tag", parameters.tag),
            ("commit", definition.resolvedDependencies.first?.digest["gitCommit"]),
            ("repository", parameters.repository), ("pipeline", parameters.pipeline),
            ("builder", builder), ("run", run),
            (
                "stated by",
                isBuiltHere ? "this server, which built it" : "the publisher",
            ),
            ("publisher", definition.internalParameters["publisher"]),
            ("published", predicate.runDetails.metadata.finishedOn),
            ("sha256", subject.first?.digest["sha256"]), ("signed by", key.short),
        ]
        return rows.compactMap { name, value in
            value.map { "  \(style.faint(name)) \($0.printable)" }
        }
        .joined(separator: "\n")
    }
}
