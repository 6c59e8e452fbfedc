import ArgumentParser
import Bytes
import Cryptography
import Foundation
import ObjectStore
import Problems
import S3
import Store

/// The settings of a store in a bucket, in addition to its name.
///
/// Credentials are not options, because every user of a machine can read the arguments of its processes.
struct BucketOptions: ParsableArguments {
    @Option(help: Self.endpointHelp) var storeEndpoint: String?
    @Option(help: Self.regionHelp) var storeRegion: String?
    @Option(help: Self.styleHelp) var storeStyle: S3Bucket.Style?
    @Option(name: .customLong("store-ca-file"), help: Self.authoritiesHelp)
    var storeAuthorities: String?
    @Flag(help: Self.plainTextHelp) var storePlainText = false
    @Option(help: Self.spoolHelp) var spool: String?

    func validate() throws {
        for (option, value) in [
            ("--store-endpoint", storeEndpoint), ("--store-region", storeRegion),
            ("--store-ca-file", storeAuthorities), ("--spool", spool),
        ] where value?.isEmpty == true {
            throw ValidationError("\(option) is empty: give a value, or leave it out")
        }
    }

    /// All options.
    static let options = [
        "--store-endpoint", "--store-region", "--store-style", "--store-ca-file",
        "--store-plain-text", "--spool",
    ]

    /// The options that were given, which are refused for a store in a folder.
    var typed: [String] {
        let given = [
            storeEndpoint != nil, storeRegion != nil, storeStyle != nil, storeAuthorities != nil,
            storePlainText, spool != nil,
        ]
        return zip(Self.options, given).filter(\.1).map(\.0)
    }

    /// Returns the address of a store, from these options and the environment.
    ///
    /// - Parameters:
    ///   - location: the store's name, such as `s3://builds/ota`.
    ///   - context: the context, whose environment replaces missing options.
    /// - Returns: the store's address.
    /// - Throws: ``MalformedS3Address``, and ``Problem`` for an authority that cannot be read.
    func address(of location: String, in context: CommandContext) throws -> BucketAddress {
        let environment = context.environment
        func value(_ option: String?, _ variables: String...) -> String? {
            option ?? variables.lazy.compactMap { environment[$0].given }.first
        }
        let place = try S3Location(location)
        let endpoint = value(
            storeEndpoint,
            "OTA_STORE_ENDPOINT",
            "AWS_ENDPOINT_URL_S3",
            "AWS_ENDPOINT_URL",
        )
        let region = value(storeRegion, "OTA_STORE_REGION", "AWS_REGION", "AWS_DEFAULT_REGION")
        let allowsPlain = try Self.isOn("OTA_STORE_PLAIN_TEXT", environment)
        let isPlain = storePlainText || allowsPlain
        let bucket = try S3Bucket(
            place.bucket,
            region: region ?? "us-east-1",
            endpoint: try endpoint.map { try Self.endpoint($0, isPlain) },
            style: try storeStyle ?? style(environment["OTA_STORE_STYLE"].given),
        )
        return BucketAddress(
            location: place,
            bucket: bucket,
            authorities: try value(storeAuthorities, "OTA_STORE_CA_FILE", "OTA_STORE_ANCHOR")
                .map(AnchorOptions.certificates) ?? [],
            spool: try folder(for: BucketAddress.name(of: place, in: bucket), environment),
        )
    }

    private static func endpoint(_ text: String, _ isPlain: Bool) throws -> S3Endpoint {
        do throws(MalformedS3Address) {
            return try S3Endpoint(text, allowsPlainText: isPlain)
        } catch {
            guard case .plainText = error else { throw error }
            throw Problem(
                id: error.id,
                kind: error.kind,
                message: error.description,
                place: text,
                fix: "give an https address, or allow this one with --store-plain-text",
            )
        }
    }

    /// Whether a variable turns something on; an empty one counts as unset.
    private static func isOn(_ variable: String, _ environment: [String: String]) throws -> Bool {
        guard let text = environment[variable].given else { return false }
        switch text.lowercased() {
        case "1", "true", "yes", "on": return true
        case "0", "false", "no", "off": return false
        default:
            throw ValidationError(
                "the variable \(variable) must be 1, true, yes or on, or 0, false, no or off"
            )
        }
    }

    private func style(_ text: String?) throws -> S3Bucket.Style? {
        guard let text else { return nil }
        guard let style = S3Bucket.Style(rawValue: text) else {
            throw ValidationError("the variable OTA_STORE_STYLE must be path or virtual-host")
        }
        return style
    }

    /// The named spool, or a separate one for each store: in systemd's cache directory, the user's cache,
    /// or the system's.
    private func folder(for store: String, _ environment: [String: String]) throws -> String {
        let named = spool ?? environment["OTA_SPOOL"].given
        let path =
            if let named {
                named
            } else if let folder = environment["CACHE_DIRECTORY"].given {
                folder + "/" + store
            } else if let cache = environment["XDG_CACHE_HOME"].given {
                cache + "/ota/" + store
            } else if let home = environment["HOME"].given, home != "/" {
                home + "/.cache/ota/" + store
            } else {
                "/var/cache/ota/" + store
            }
        let absolute = URL(filePath: path, directoryHint: .isDirectory).absoluteURL
            .resolvingSymlinksInPath().path(percentEncoded: false)
        let folder =
            absolute.count > 1 && absolute.hasSuffix("/") ? String(absolute.dropLast()) : absolute
        if let named { try Self.requireNoStore(named, at: folder) }
        return folder
    }

    /// - Throws: ``Problem`` for a spool that is a store, or inside one: its files would be among those of
    ///   the store.
    private static func requireNoStore(_ named: String, at folder: String) throws {
        var store: String?
        if named.hasBytes(first: "s3://") {
            store = folder
        } else {
            var place = folder[...]
            while store == nil, !place.isEmpty {
                if StorePosition.isStore(at: String(place)) { store = String(place) }
                place = place[..<(place.lastIndex(of: "/") ?? place.startIndex)]
            }
        }
        guard let store else { return }
        throw Problem(
            id: "store.spool-is-store",
            kind: .invalid,
            message: store == folder
                ? "the spool is a store" : "the spool is inside the store \(store.printable)",
            place: named,
            fix: "give a folder of its own with --spool or OTA_SPOOL, or leave it out",
        )
    }
}

extension S3Bucket.Style: ExpressibleByArgument {}

extension BucketAddress {
    /// Opens the bucket with the credentials of the environment, the shared file or the machine.
    ///
    /// - Parameters:
    ///   - context: the context, whose environment has the credentials.
    ///   - usesNote: as in ``ObjectBackend/init(at:credentials:transport:usesNote:news:waiting:)``.
    ///   - trusting: for how long the command relies on what it has read.
    /// - Returns: the store's backend.
    /// - Throws: errors of opening it.
    func backend(
        in context: CommandContext,
        usesNote: Bool,
        trusting: Duration = .seconds(2),
    ) throws -> ObjectBackend {
        let environment = context.environment
        let waiting: @Sendable (String, Int) -> Void = { host, seconds in
            context.terminal.remark("waiting for the store at \(host) (\(seconds) s)")
        }
        return try ObjectBackend(
            at: self,
            credentials: { transport in
                S3CredentialChain(
                    environment: environment,
                    file: { path in try? TextInput.bytes(path, limit: 1 << 20) },
                    transport: transport,
                )
            },
            usesNote: usesNote,
            // A command reads each document once, and a server follows changes instead.
            news: NewsTiming(trusting: trusting),
            waiting: context.saysWhatItWaitsFor ? waiting : nil,
        )
    }
}

extension BucketOptions {
    static let endpointHelp = ArgumentHelp(
        "The object store, such as https://s3.example.com (or OTA_STORE_ENDPOINT); default: Amazon S3.",
        valueName: "url",
    )
    static let regionHelp: ArgumentHelp =
        "The bucket's region (or OTA_STORE_REGION, AWS_REGION); default: us-east-1."
    static let styleHelp: ArgumentHelp = """
        How requests name the bucket (or OTA_STORE_STYLE): path or virtual-host; default: virtual-host at \
        Amazon, path elsewhere.
        """
    static let authoritiesHelp = ArgumentHelp(
        "A PEM file with the private authority of the object store (or OTA_STORE_CA_FILE).",
        valueName: "file",
    )
    static let plainTextHelp: ArgumentHelp = """
        Allow http:// (or OTA_STORE_PLAIN_TEXT=1): anyone on the network path can then read everything, \
        even keys.
        """
    static let spoolHelp = ArgumentHelp(
        "This machine's folder for uploads, work files and the cache (or OTA_SPOOL).",
        valueName: "folder",
    )
}

extension ArgumentHelp {
    /// The same help, shown only by `--help-hidden`.
    var madeHidden: ArgumentHelp {
        var help = self
        help.visibility = .hidden
        return help
    }
}
