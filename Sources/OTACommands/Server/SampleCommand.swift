import ArgumentParser
import Bundles
import Foundation
import Identifiers
import Releases
import Sample

struct SampleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Create a signed sample build, and the authority that signed it.",
        discussion: """
            Needs no Apple account and no network. A real phone refuses the build, because Apple \
            did not issue its certificate; everything else works with it.
            Example:
              ota sample --output sample.ipa
              ota validate sample.ipa --trusted-ca sample-authority.pem
            """,
    )

    @Option(
        help: ArgumentHelp(
            "The IPA to write; the authority is written next to it.",
            valueName: "file",
        )
    )
    var output = "sample.ipa"

    @Option(
        help: """
            The app: sample, browsey, pare, browser-selector, simbridge-client, simbridge-host or \
            forks.
            """
    )
    var app: SampleApp = .sample

    @Option(help: "The marketing version.")
    var version = "1.0.0"

    @Option(help: "The build number.")
    var build = "1"

    @Option(help: "Add this many megabytes of incompressible data, for measurements.")
    var megabytes = 0

    @Option(help: "A file to include in the app. May be repeated.")
    var resource: [String] = []

    @Option(
        help: ArgumentHelp(
            "Sign with the keys that an earlier run saved with --save-keys.",
            valueName: "file",
        )
    )
    var authority: String?

    @Flag(help: "Save the authority's private keys as well, for --authority.")
    var saveKeys = false

    @Option(help: "The UDID of a device to include in the profile. May be repeated.")
    var device: [DeviceUDID] = []

    @Option(help: "The day on which the profile expires: YYYY-MM-DD; default: in a year.")
    var expires: Day?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (0...8192).contains(megabytes) else {
            throw ValidationError("--megabytes must be from 0 to 8192")
        }
    }

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let now = context.now()
        let signer = try signingAuthority(at: now)
        var builder = app.builder(by: signer, at: now).version(version, build: build)
        if !device.isEmpty || expires != nil {
            builder = builder.editingProfile { profile in
                if !device.isEmpty { profile.devices = device.map(\.rawValue) }
                if let expires { profile.expires = expires.date }
            }
        }
        if megabytes > 0 {
            builder = builder.padded(megabytes: megabytes)
        }
        for path in resource {
            let file = URL(filePath: path)
            builder = builder.resource(.file(file.lastPathComponent, try Data(contentsOf: file)))
        }
        try builder.build(to: output)
        let anchor = anchorPath
        try Data(signer.anchorPEM.utf8).write(to: URL(filePath: anchor))
        let keys = saveKeys ? try save(signer, beside: anchor) : nil
        let result = SampleResult(ipa: output, authority: anchor, keys: keys)
        try context.show(result, json: json)
    }

    private var anchorPath: String {
        (output.hasSuffix(".ipa") ? String(output.dropLast(4)) : output) + "-authority.pem"
    }

    private func signingAuthority(at date: Date) throws -> SigningAuthority {
        guard let authority else { return try SigningAuthority(validFrom: date) }
        return try SigningAuthority(pem: TextInput.read(authority, limit: 1 << 20))
    }

    /// Saves the keys, which are readable by their owner only, from the first byte on.
    ///
    /// - Returns: the path of the file.
    private func save(_ signer: SigningAuthority, beside anchor: String) throws -> String {
        let path = anchor.replacing("-authority.pem", with: "-authority-keys.pem")
        try SecretFile.write(Array(signer.privatePEM.utf8), to: path)
        return path
    }
}

/// The apps that can be created.
enum SampleApp: String, ExpressibleByArgument, CaseIterable {
    case sample, browsey, pare
    case browserSelector = "browser-selector"
    case simBridgeClient = "simbridge-client"
    case simBridgeHost = "simbridge-host"
    case forks

    func builder(by authority: SigningAuthority, at date: Date) -> IPABuilder {
        switch self {
        case .sample: SampleApps.sample(by: authority, at: date)
        case .browsey: SampleApps.browsey(by: authority, at: date)
        case .pare: SampleApps.pare(by: authority, at: date)
        case .browserSelector: SampleApps.browserSelector(by: authority, at: date)
        case .simBridgeClient: SampleApps.simBridgeClient(by: authority, at: date)
        case .simBridgeHost: SampleApps.simBridgeHost(by: authority, at: date)
        case .forks: SampleApps.forks(by: authority, at: date)
        }
    }
}

private struct SampleResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let ipa, authority: String
    }

    let ipa: String
    let authority: String
    let keys: String?

    var document: Document { Document(ipa: ipa, authority: authority) }

    func text(style: Style) -> String {
        """
        \(style.good("Created")) \(ipa), signed by the authority in \(authority).
        Publish it with: ota publish \(ipa) --trusted-ca \(authority)
        """ + (keys.map { "\nSign more builds with: ota sample --authority \($0)" } ?? "")
    }
}
