import ArgumentParser
import Bundles
import Bytes
import Cryptography
import Foundation
import Problems
import PropertyLists
import Sandboxing
import Signing
import SigningOrders

struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a build, or sign it again, without a Mac.",
        discussion: """
            Takes an .ipa, an .xcarchive or an .app folder, signed or not. The app, and each \
            bundle in it that needs a profile, gets the one that matches its bundle identifier. The \
            result is inspected first; if it would not install, nothing is written and the exit status \
            is 1.
            Example:
              ota sign a.ipa --identity id.p12 --profile a.mobileprovision --output b.ipa
            """,
    )

    @Argument(help: "The .ipa, .xcarchive or .app.")
    var input: String?

    @Option(help: "The certificate with its private key: a .p12 file, or PEM.")
    var identity: String?

    @Option(
        parsing: .upToNextOption,
        help: """
            A provisioning profile; give one for each bundle that needs one. Profiles that match no \
            bundle are ignored. May be repeated.
            """,
    )
    var profile: [String] = []

    @Option(help: ArgumentHelp("The IPA to write.", valueName: "file"))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "A file with the passphrase of the identity, or - for standard input.",
            valueName: "file",
        )
    )
    var passwordFile: String?

    @Option(
        help: """
            A property list with the app's entitlements, instead of those in its signature; for a \
            bundle inside the app, IDENTIFIER=FILE. May be repeated.
            """
    )
    var entitlements: [String] = []

    @Flag(help: "Replace the output if it exists.")
    var force = false

    @Option(help: .hidden)
    var request: String?

    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard request == nil else {
            guard request == "-" else { throw ValidationError("--request takes - alone") }
            return
        }
        guard input != nil else { throw ValidationError("name the build to sign") }
        guard identity != nil else { throw ValidationError("give an identity with --identity") }
        guard !profile.isEmpty else { throw ValidationError("give profiles with --profile") }
        guard let output else { throw ValidationError("name the IPA to write with --output") }
        guard output.hasSuffix(".ipa") else {
            throw ValidationError("--output must be the name of an .ipa, not “\(output)”")
        }
    }

    func run() throws {
        if request != nil {
            guard try OrderedSigning.run() else { throw ExitCode(1) }
            return
        }
        // From now on, this process has both the key and an untrusted build.
        try Confinement.denyNetworkAndPrograms()
        try run(in: .live)
    }

    func run(in context: CommandContext) throws {
        guard let input, let output else { return }
        try SignOutput.check(output, isNot: input, replacing: force)
        let anchors = try anchorOptions.anchors()
        let date = context.now()
        let profiles = try profiles(at: date, anchors)
        var request = SigningRequest(
            identity: try signingIdentity(for: profiles, at: date, anchors),
            profiles: profiles,
            trusting: anchors,
            at: date,
        )
        try addEntitlements(to: &request)
        let bar = ProgressBar(on: context.terminal, isQuiet: outputOptions.json)
        defer { bar.finish() }
        let signed = try SignedFile(for: output)
        let build = try BuildSigning(
            input: SignInput(input),
            file: signed.file,
            request: request,
        ).run { bar.update($0.rawValue, fraction: $1) }
        try requireEveryClaimed(by: request, in: build)
        if build.installs { try signed.keep() }
        bar.finish()
        let result = SignResult(build: build, output: output, width: context.terminal.width)
        try context.show(result, json: outputOptions.json)
        if !build.installs { throw ExitCode(1) }
    }

    private func signingIdentity(
        for profiles: [SigningProfile],
        at date: Date,
        _ anchors: TrustAnchors,
    ) throws -> SigningIdentity {
        let passphrase = try passwordFile.map { file in
            // A trailing line feed was added by an editor, and is not part of the passphrase.
            let text = try TextInput.read(file, limit: 4096)
            return text.hasSuffix("\r\n") || text.hasSuffix("\n") ? String(text.dropLast()) : text
        }
        let bytes = try TextInput.bytes(identity ?? "", limit: IdentityFile.sizeLimit)
        let file: IdentityFile
        do throws(MalformedIdentity) {
            file = try IdentityFile(reading: bytes, passphrase: passphrase)
        } catch {
            throw error.problem(at: identity ?? "")
        }
        let chosen =
            file.identities.count == 1
            ? file.identities[0]
            : try file.identity(for: profiles.map { IdentityFile.Signers($0.facts) })
        return try chosen.checkedForApps(at: date, anchors: anchors)
    }

    private func profiles(at date: Date, _ anchors: TrustAnchors) throws -> [SigningProfile] {
        try profile.map { path in
            let bytes = try TextInput.bytes(path, limit: 4 << 20)
            do throws(ProfileRefusal) {
                return try SigningProfile(bytes, at: path, trusting: anchors, date: date)
            } catch {
                throw error.problem(at: path)
            }
        }
    }

    /// Refuses entitlements for a bundle that the app does not have: its identifier was mistyped.
    private func requireEveryClaimed(by request: SigningRequest, in build: SignedBuild) throws {
        let identifiers = request.nestedEntitlements.keys.sorted()
        let there = build.bundles.filter(\.kind.hasOwnProfile).map(\.identifier)
        if request.entitlements != nil, let app = there.first, identifiers.contains(app) {
            throw Self.givenTwice(for: "the app, \(quoted: app)", at: "--entitlements")
        }
        guard let stray = identifiers.first(where: { !there.contains($0) }) else { return }
        throw Problem(
            id: "entitlements.no-bundle",
            kind: .invalid,
            message: "the app has no bundle \(quoted: stray), for which entitlements were given",
            place: "--entitlements",
            fix: "name one of " + there.map { "\(quoted: $0)" }.joined(separator: ", "),
        )
    }

    private static func givenTwice(for bundle: String, at place: String) -> Problem {
        Problem(
            id: "entitlements.twice",
            kind: .invalid,
            message: "entitlements are given twice for \(bundle)",
            place: place,
            fix: "give one file for each bundle; name a bundle inside the app with IDENTIFIER=FILE",
        )
    }

    private func addEntitlements(to request: inout SigningRequest) throws {
        for argument in entitlements {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            let isNamed = parts.count == 2 && !parts[0].contains("/")
            let path = isNamed ? parts[1] : argument
            let isTwice =
                isNamed
                ? request.nestedEntitlements[parts[0]] != nil : request.entitlements != nil
            guard !isTwice else {
                throw Self.givenTwice(for: isNamed ? "\(quoted: parts[0])" : "the app", at: path)
            }
            let list: PropertyList
            let bytes = try TextInput.bytes(path, limit: 1 << 20)
            do throws(MalformedPropertyList) {
                list = try PropertyList(reading: bytes)
            } catch {
                throw Problem(
                    id: "entitlements.malformed",
                    kind: .invalid,
                    message: "the entitlements cannot be read: \(error)",
                    place: path,
                    fix: "give a property list, such as Xcode's .entitlements file",
                )
            }
            if isNamed {
                request.nestedEntitlements[parts[0]] = list
            } else {
                request.entitlements = list
            }
        }
    }
}
