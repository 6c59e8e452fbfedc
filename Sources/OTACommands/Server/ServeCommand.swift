import ArgumentParser
import Cryptography
import Foundation
import HTTPServing
import OTAServer
import ObjectStore
import Pages
import Releases
import Sandboxing
import Store
import TeamUpkeep
import Uploads

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server that phones install from.",
        discussion: """
            With --acme, the server automatically gets a certificate for the host of its base URL. Without \
            a certificate, it creates its own authority, which phones install from /trust on the plain \
            port. On SIGTERM, it lets running downloads finish, for up to 28 seconds, and stops.
            Examples:
              ota serve --host 0.0.0.0 --base-url https://ota.example.com:8443
              ota serve --base-url https://ota.example.com --acme ops@example.com
            """,
    )

    @Option(help: ArgumentHelp("The address to listen on; 0.0.0.0 for all.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The HTTPS port; 0 for any free one.", valueName: "number"))
    var port = 8443

    @Option(
        help: ArgumentHelp(
            "The plain HTTP port, for /trust and redirects; 0 for any free one.",
            valueName: "number",
        )
    )
    var plainPort = 8080

    @Flag(help: "Do not listen for plain HTTP at all.")
    var noPlain = false

    @Option(
        help: ArgumentHelp(
            """
            The URL at which testers reach the server; links begin with it. Saved in the store.
            """,
            valueName: "url",
        )
    )
    var baseURL: BaseURL?

    @Option(
        help: ArgumentHelp(
            "A PEM file with the certificate chain; reloaded when it changes.",
            valueName: "file",
        )
    )
    var certificate: String?

    @Option(help: ArgumentHelp("A PEM file with its private key.", valueName: "file"))
    var privateKey: String?

    @Option(
        help: ArgumentHelp(
            "The IP address of a proxy whose X-Forwarded-For header is trusted. May be repeated.",
            valueName: "address",
        )
    )
    var trustedProxy: [ProxyAddress] = []

    @Option(
        name: .customLong("allow-host"),
        help: ArgumentHelp(
            """
            An additional host to answer for: a name, *.example.org or an address, without a port. \
            May be repeated.
            """,
            valueName: "host",
        ),
    )
    var alsoHost: [ServedHost] = []

    @Option(
        help: ArgumentHelp(
            "A PEM file with an additional authority whose devices are trusted when they enrol, for tests.",
            valueName: "file",
        )
    )
    var trustedDeviceCA: String?

    @Option(
        help: ArgumentHelp(
            """
            A folder with your own templates/, public/ and languages/ files; they replace those of \
            the same name.
            """,
            valueName: "folder",
        )
    )
    var assets: String?

    @Option(
        help: ArgumentHelp(
            "How long an install link is valid, such as 2h; default: 1h.",
            valueName: "duration",
        )
    )
    var linkLifetime: Span = .init(hours: 1)

    @Option(
        name: .customLong("max-upload-mb"),
        help: ArgumentHelp(
            "The largest build that can be uploaded, in megabytes.",
            valueName: "megabytes",
        ),
    )
    var largestUpload = 4096

    @Option(
        name: .customLong("reserve-mb"),
        help: ArgumentHelp(
            "Disk space that uploads leave free, in megabytes.",
            valueName: "megabytes",
        ),
    )
    var keepFree = 1024

    @Option(
        help: ArgumentHelp(
            """
            How long the server waits after a device has joined before it renews profiles, so that \
            devices that join at about the same time need only one renewal; default: 1m.
            """,
            valueName: "duration",
        )
    )
    var gather = Span(minutes: 1)

    @Option(
        help: ArgumentHelp(
            "How long a silent runner keeps its build; default: 1m.",
            valueName: "duration",
        )
    )
    var lease = Span(minutes: 1)

    @Option(
        help: ArgumentHelp(
            """
            How long the server keeps answering after SIGTERM, while /readyz answers 503 for a balancer, \
            such as 10s; default: 0s.
            """,
            valueName: "duration",
        )
    )
    var drainTime: Span?

    @Option(
        help: ArgumentHelp(
            "The size of this machine's cache of builds from a bucket, in megabytes.",
            valueName: "megabytes",
        )
    )
    var downloadCache = 10_240

    @Option(
        help: """
            Where phones fetch builds of a store in a bucket: server, direct (the store's own \
            addresses, signed for the life of a link), redirect (the same behind an address of this \
            server), or the https address of a CDN in front of the store's folder; default: server.
            """
    )
    var downloads: DownloadPlace?

    @OptionGroup var acmeOptions: ACMEOptions
    @OptionGroup var mailOptions: MailOptions
    @OptionGroup var keyOptions: KeyFileOptions
    @OptionGroup var appleOptions: AppleOptions
    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var storeOptions: StoreOptions

    /// The base URL of links until an admin sets another.
    static func defaultBaseURL() throws(MalformedBaseURL) -> BaseURL {
        try BaseURL("https://localhost:8443")
    }

    func validate() throws {
        guard (certificate == nil) == (privateKey == nil) else {
            throw ValidationError("give --certificate and --private-key together")
        }
        try acmeOptions.validate(beside: certificate, hosts: alsoHost)
        for (option, value) in [
            ("--certificate", certificate), ("--private-key", privateKey), ("--assets", assets),
            ("--trusted-device-ca", trustedDeviceCA),
        ] where value?.isEmpty == true {
            throw ValidationError("\(option) is empty: give a path, or leave it out")
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || "/[]*".contains($0) })
        else {
            throw ValidationError(
                "--host must be an address or name of this machine without scheme, path or "
                    + "brackets, such as 0.0.0.0, or :: for IPv6 too"
            )
        }
        for (option, port) in [("--port", port), ("--plain-port", plainPort)] {
            guard (0...65535).contains(port) else {
                throw ValidationError("\(option) must be from 0 to 65535; 0 for any free port")
            }
        }
        guard noPlain || port == 0 || port != plainPort else {
            throw ValidationError(
                "give --port and --plain-port different values, or give --no-plain"
            )
        }
        guard (1...1_000_000).contains(largestUpload) else {
            throw ValidationError("--max-upload-mb must be from 1 to 1,000,000 megabytes")
        }
        guard (0...1_000_000_000).contains(keepFree) else {
            throw ValidationError("--reserve-mb must be from 0 to 1,000,000,000 megabytes")
        }
        guard (0...1_000_000_000).contains(downloadCache) else {
            throw ValidationError("--download-cache must be from 0 to 1,000,000,000 megabytes")
        }
        guard gather.seconds <= 3600 else {
            throw ValidationError("--gather must be 1h or less")
        }
        guard (10...600).contains(lease.seconds) else {
            throw ValidationError("--lease must be from 10s to 10m")
        }
        guard (drainTime?.seconds ?? 0) <= 300 else {
            throw ValidationError("--drain-time must be at most 5m")
        }
        guard linkLifetime.seconds >= 3600 else {
            throw ValidationError(
                "--link-lifetime must be 1h or more, so that slow downloads can finish"
            )
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        // This process has keys in memory, which processes of the same user that it starts must not read.
        try Confinement.denyMemoryToOthers()
        if case .bucket = try storeOptions.place(in: context) { WaitingExecutor.prepareThreads() }
        let store = try storeOptions.openOrCreate(
            in: context,
            cacheSize: downloadCache << 20,
        )
        let terminal = context.terminal
        if let downloads {
            let authorities: [Certificate] =
                if case .bucket(let address) = try storeOptions.place(in: context) {
                    address.authorities
                } else {
                    []
                }
            let remark = try downloads.check(for: store, trusting: authorities)
            if let remark { terminal.remark(remark) }
        }
        let anchors = try anchorOptions.certificates()
        var configuration = try self.configuration(in: context)
        configuration.anchors = anchors
        // Refuse to start rather than fail when a build is to be signed. A missing key file may be added
        // later, and the log and the overview report it.
        do {
            _ = try configuration.keyFile?.key(for: store)
        } catch KeyFileRefusal.missing {}
        try await WebServer(configuration, store: store).run { addresses in
            // Only once the server is running: a start that fails changes nothing.
            do {
                let pem = anchors.map(\.pem)
                try storeOptions.remember(baseURL: baseURL, anchors: pem, in: store)
            } catch {
                terminal.remark("--base-url and --trusted-ca could not be saved: \(error)")
            }
            let own = ownAddress(addresses)
            try? terminal.print("listening on \(own ?? addresses.baseURL.rawValue)")
            if own != nil { terminal.remark("links begin with \(addresses.baseURL)") }
            if let trust = addresses.trustURL {
                terminal.remark(
                    acmeOptions.acme == nil
                        ? "open \(trust) on a phone to trust this server"
                        : "phones trust this server once the ACME authority has issued its certificate"
                )
            }
        }
    }

    /// The address that was bound, if the base URL has another port, such as a proxy's; nil otherwise.
    private func ownAddress(_ addresses: ServerAddresses) -> String? {
        guard (addresses.baseURL.port ?? 443) != addresses.port else { return nil }
        let isEvery = ["0.0.0.0", "::"].contains(host)
        let name =
            if isEvery { "localhost" } else if host.contains(":") { "[\(host)]" } else { host }
        return "https://\(name):\(addresses.port)"
    }
}
