import APIDocuments
import Administration
import ArgumentParser
import Bytes
import Cryptography
import Foundation
import Provenance
import Publishing
import Releases

struct ReleasesVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract:
            "Verify the origin of a release, and that its file is unchanged.",
        discussion: """
            Every release has a statement of its tag, commit, repository and builder (in-toto, \
            SLSA provenance 1), signed by the server in a DSSE envelope when it was published. \
            With --server, the key comes from that server; give one that you trust with --key.
            Examples:
              ota releases verify browsey 1.2.0
              ota releases verify browsey 1.2.0 --export proof.json --export-key server.pem
              ota releases verify browsey 1.2.0 --ipa build.ipa --key server.pem
            Offline, from files alone:
              ota releases verify --statement proof.json --key server.pem --ipa build.ipa
            """,
    )

    @Argument(help: "The app, by bundle identifier or slug.")
    var app: String?

    @Argument(help: "The release: version-build, or only the version if it has one build.")
    var release: String?

    @Option(
        help: ArgumentHelp(
            "A signed statement to verify offline with --key and --ipa.",
            valueName: "file",
        )
    )
    var statement: String?

    @Option(
        help: ArgumentHelp("An IPA to compare; default: the published one.", valueName: "file")
    )
    var ipa: String?

    @Option(
        help: ArgumentHelp(
            "A PEM file with the public key that must have signed; default: the store's own.",
            valueName: "file",
        )
    )
    var key: String?

    @Option(help: "Write the signed statement to this file.")
    var export: String?

    @Option(help: ArgumentHelp("Write the store's public key to this file.", valueName: "file"))
    var exportKey: String?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if statement != nil {
            guard app == nil, key != nil, ipa != nil else {
                throw ValidationError("--statement needs --key and --ipa, and no app or release")
            }
            guard export == nil, exportKey == nil else {
                throw ValidationError("--export and --export-key need an app and a release")
            }
        } else {
            guard app != nil, release != nil else {
                throw ValidationError("give the app and the release, or --statement")
            }
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        if let statement, let key, let ipa {
            let proof = OfflineProof(statement: statement, key: key, ipa: ipa)
            return try context.show(try proof.result(), json: output.json)
        }
        guard let app, let release else { return }
        let publicKey = try key.map(KeyFile.publicKey)
        let own = try ipa.map { try SHA256Digest(reading: BuildFile(argument: $0).source()) }
        let provenance = try await target.open(in: context).perform(
            ShowProvenance(of: release, of: app, digesting: own == nil)
        )
        if let export { try OutputFile.write(provenance.envelope.json(), to: export) }
        guard let found = own ?? provenance.found else {
            throw ProvenanceRefusal.unreadable("the server did not check the bytes of the IPA")
        }
        let proven = try ProvenRelease(
            provenance.claims,
            sha256: found,
            envelope: provenance.envelope,
            provenBy: publicKey ?? PublicKey(pem: provenance.publicKey),
        )
        if let exportKey { try OutputFile.write(Array(provenance.publicKey.utf8), to: exportKey) }
        try context.show(
            ProvenResult(
                proven: proven,
                provenance: provenance,
                file: ipa,
                isKeyTold: publicKey == nil && target.serverURL(in: context) != nil,
            ),
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
    let provenance: ProvenanceDocument
    /// The IPA that was compared; nil for the published one.
    let file: String?
    /// Whether the key is only what the server itself reported.
    let isKeyTold: Bool

    var document: Document {
        Document(
            app: provenance.app,
            release: provenance.release,
            sha256: provenance.sha256.description,
            keyid: proven.key.description,
            statement: proven.statement,
        )
    }

    func text(style: Style) -> String {
        let facts = proven.statement.facts(style: style, signedBy: proven.key)
        let name = "\(provenance.name) \(provenance.release)".printable
        let what =
            file.map { "\($0.printable) is \(name) as published" }
            ?? "The IPA of \(name) is unchanged since it was published"
        let remark =
            isKeyTold
            ? "\n"
                + style.faint(
                    "The server itself supplied the key; give --key to use one that you already "
                        + "trust."
                )
            : ""
        return style.good("Verified.") + " \(what), and its record was not changed.\n"
            + facts + remark
    }
}
