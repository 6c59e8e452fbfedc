import Administration
import ArgumentParser
import Bundles
import Bytes
import Cryptography
import Foundation
import Provenance
import Publishing
import Releases
import Store

struct ReleasesVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract:
            "Prove where a release came from, and that its bytes are those that were published.",
        discussion: """
            Every release has a statement of its tag, commit, repository and builder (in-toto, SLSA \
            provenance 1), signed by the server in a DSSE envelope when it was published.
            Examples:
              ota releases verify browsey 1.2.0
              ota releases verify browsey 1.2.0 --export provenance.json --export-key server.pem
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @Option(help: "The public key that must have signed, PEM; else the store's own.")
    var key: String?

    @Option(help: "Write the signed statement into this file.")
    var export: String?

    @Option(help: "Write the store's public key into this file.")
    var exportKey: String?

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let admin = Administrator(of: store, named: context.actor, clock: context.now)
        let app = try admin.app(named: named.app)
        let release = try admin.release(named: named.release, of: app)
        let publicKey = try key.map {
            try PublicKey(pem: TextInput.read($0, limit: 1 << 16))
        }
        if let export {
            try OutputFile.write(store.envelope(of: release).json(), to: export)
        }
        let proven = try store.proven(release, by: publicKey)
        if let exportKey {
            let own = PublicKey(of: try store.provenanceKey())
            try OutputFile.write(Array(own.pem.utf8), to: exportKey)
        }
        try context.show(
            ProvenResult(proven: proven, release: release, app: app.bundleIdentifier.rawValue),
            json: output.json,
        )
    }
}

private struct ProvenResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let app, release, sha256: String
        let verified = true
        let keyid: String
        let statement: ProvenanceStatement
    }

    let proven: ProvenRelease
    let release: Release
    let app: String

    var document: Document {
        Document(
            app: app,
            release: release.identifier.rawValue,
            sha256: release.sha256.description,
            keyid: proven.key.description,
            statement: proven.statement,
        )
    }

    func text(style: Style) -> String {
        let predicate = proven.statement.predicate
        let parameters = predicate.buildDefinition.externalParameters
        let rows: [(String, String?)] = [
            ("tag", parameters.tag), ("commit", release.commit),
            ("repository", parameters.repository), ("pipeline", parameters.pipeline),
            ("builder", proven.statement.builder), ("run", proven.statement.run),
            (
                "known from",
                proven.statement.isBuiltHere
                    ? "this server, which built it" : "what the publisher told",
            ),
            ("publisher", release.publisher),
            ("published", predicate.runDetails.metadata.finishedOn),
            ("sha256", release.sha256.description), ("signed by", proven.key.short),
        ]
        let told = rows.compactMap { name, value in
            value.map { "  \(style.faint(name)) \($0.printable)" }
        }
        let name = "\(release.name) \(release.identifier)".printable
        return style.good("Proven.")
            + " The IPA of \(name) is the one that was published, and its record was not changed.\n"
            + told.joined(separator: "\n")
    }
}
