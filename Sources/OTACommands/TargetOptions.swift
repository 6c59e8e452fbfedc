import APIDocuments
import Administration
import ArgumentParser
import Cryptography
import Foundation
import OTAClient
import Pages
import Problems
import Releases
import S3

/// The target of a command: a store on this machine, or a running server.
struct TargetOptions: ParsableArguments {
    // These options and those of a bucket are not the groups that contain them: in debug builds the parser
    // checks each group several times for every check of the group around it, and parsing them took longer
    // than most commands.
    @Option(help: StoreOptions.briefHelp)
    var store: String?

    @Option(
        help: ArgumentHelp(
            """
            A running server to use instead of a store (or OTA_SERVER). Goes through HTTPS_PROXY \
            unless NO_PROXY lists the server.
            """,
            valueName: "url",
        )
    )
    var server: String?

    @Option(
        help: ArgumentHelp(
            """
            A file with the token for the server, or - for standard input (or OTA_TOKEN with the \
            token).
            """,
            valueName: "file",
        )
    )
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            """
            A PEM file with the private authority that issued the server's certificate (or \
            OTA_CA_FILE).
            """,
            valueName: "file",
        )
    )
    var caFile: String?

    @Option(
        help: """
            The SHA-256 of the server's certificate, which is then trusted no matter who issued it (or \
            OTA_FINGERPRINT).
            """
    )
    var fingerprint: String?

    // Hidden, because most commands have many options; the help of --store says where to find these.
    @Option(help: BucketOptions.endpointHelp.madeHidden) var storeEndpoint: String?
    @Option(help: BucketOptions.regionHelp.madeHidden) var storeRegion: String?
    @Option(help: BucketOptions.styleHelp.madeHidden) var storeStyle: S3Bucket.Style?
    @Option(name: .customLong("store-ca-file"), help: BucketOptions.authoritiesHelp.madeHidden)
    var storeAuthorities: String?
    @Flag(help: BucketOptions.plainTextHelp.madeHidden) var storePlainText = false
    @Option(help: BucketOptions.spoolHelp.madeHidden) var spool: String?

    private var bucket: BucketOptions {
        var options = BucketOptions()
        options.storeEndpoint = storeEndpoint
        options.storeRegion = storeRegion
        options.storeStyle = storeStyle
        options.storeAuthorities = storeAuthorities
        options.storePlainText = storePlainText
        options.spool = spool
        return options
    }

    var storeOptions: StoreOptions {
        var options = StoreOptions()
        options.store = store
        options.bucket = bucket
        return options
    }

    func validate() throws {
        try storeOptions.validate()
        try bucket.validate()
        guard server == nil || store == nil else {
            throw ValidationError("give --server or --store, not both")
        }
        guard server == nil || bucket.typed.isEmpty else {
            throw ValidationError("give --server, or a store in a bucket, not both")
        }
        guard fingerprint == nil || caFile == nil else {
            throw ValidationError("give --ca-file or --fingerprint, not both")
        }
        guard server != nil || tokenFile == nil || store == nil else {
            throw ValidationError("--token-file needs --server")
        }
    }

    /// Opens the target of the command.
    ///
    /// - Parameters:
    ///   - context: the context, whose environment replaces missing options.
    ///   - creates: whether to create a missing store; it is removed again if the first action on it fails.
    ///   - anchors: authorities that a local command trusts.
    ///   - baseURL: the base URL of a local command's links; nil to use the store's setting.
    /// - Returns: a store on this machine, or a server.
    /// - Throws: ``Problem`` and ``StoreFailure`` if there is no store, ``ServerFailure`` without a token.
    func open(
        in context: CommandContext,
        creates: Bool = false,
        anchors: TrustAnchors = .apple,
        baseURL: BaseURL? = nil,
    ) throws -> CommandTarget {
        if let url = serverURL(in: context) { return .server(try remote(url, in: context)) }
        // Others may use a new store in a bucket at once, so it is never removed again.
        var newFolder: String?
        if creates, case .folder(let path) = try storeOptions.place(in: context),
            !FileManager.default.fileExists(atPath: path)
        {
            newFolder = path
        }
        let store =
            try creates ? storeOptions.openOrCreate(in: context) : storeOptions.open(in: context)
        var local = LocalAdministration(
            Administrator(of: store, named: context.actor, clock: context.now),
            anchors: anchors,
            links: baseURL.map { Links(base: $0) },
        )
        if let newFolder { local.takeBackStore = NewStore(at: newFolder).takeBack }
        local.runnerAgent = AgentFile.sha256
        return .store(local)
    }

    /// Whether the user gave a token, but neither a server nor a store.
    ///
    /// Otherwise a CI job with an empty variable for the server would publish into its own checkout.
    func lacksServer(in context: CommandContext) -> Bool {
        func isGiven(_ variable: String) -> Bool { context.environment[variable]?.isEmpty == false }
        return (tokenFile != nil || isGiven("OTA_TOKEN")) && serverURL(in: context) == nil
            && store == nil && !isGiven("OTA_STORE")
    }

    /// The server to act on; nil for a store.
    ///
    /// A `--store` option takes precedence over OTA_SERVER.
    func serverURL(in context: CommandContext) -> String? {
        if let server { return server }
        guard store == nil else { return nil }
        return context.environment["OTA_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
