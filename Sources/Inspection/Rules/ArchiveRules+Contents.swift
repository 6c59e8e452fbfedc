import Bundles
import Bytes
import PropertyLists
import Zip

/// The contents of the archive outside the app, and foreign files inside it.
enum ArchiveRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        storeMetadata(in: input) + storeLeftovers(in: input) + modes(in: input.archive)
            + payloadInside(input)
    }

    /// `iTunesMetadata.plist`, which the App Store adds and the installer stores.
    private static func storeMetadata(in input: InspectionInput) -> [Finding] {
        let name = "iTunesMetadata.plist"
        guard let entry = input.archive[RelativePath(name)], entry.kind == .file else {
            return []
        }
        let metadata: PropertyList
        do {
            let bytes = try input.archive.contents(of: entry, atMost: metadataLimit)
            metadata = try PropertyList(reading: bytes, limits: .infoPlist)
        } catch {
            return [
                Rule.metadataInvalid.finding(
                    "The file cannot be read: \(PrintableText(escaping: "\(error)")).",
                    at: name,
                )
            ]
        }
        guard metadata.dictionary != nil else {
            return [
                Rule.metadataInvalid.finding(
                    "The file is \(metadata.kindTitle), but should be a dictionary.",
                    at: name,
                )
            ]
        }
        let info = input.application.info
        let differing = [
            ("softwareVersionBundleId", info.identifierText),
            ("bundleShortVersionString", info.versionText),
            ("bundleVersion", info.buildText),
        ].compactMap { key, apps -> String? in
            guard let own = metadata[key]?.string, let apps, own != apps else { return nil }
            return "\(key) is \(quoted: own), but the app's is \(quoted: apps)"
        }
        guard !differing.isEmpty else { return [] }
        return [
            Rule.metadataDiffers.inference(differing.joined(separator: "; ") + ".", at: name)
        ]
    }

    private static let metadataLimit = 1 << 20

    /// `SC_Info`, which ties an App Store copy to the account that bought it.
    private static func storeLeftovers(in input: InspectionInput) -> [Finding] {
        let bundles = input.application.everyBundle
        let folders = Set(bundles.map { $0.path / "SC_Info" })
        let found = input.archive.entries.lazy.filter { Self.mentionsStore($0.path) }
            .flatMap { entry in
                (entry.path.folders + [entry.path]).filter(folders.contains)
            }
        return Set(found).sorted().map {
            Complaint(
                .storeLeftovers,
                "The bundle has a folder SC_Info, with which the App Store ties a copy to the "
                    + "account that bought it",
                at: $0,
                .inferred,
            )
        }
        .findings
    }

    /// Whether a part of a path may be `SC_Info`, without a copy of each part.
    private static func mentionsStore(_ path: RelativePath) -> Bool {
        let bytes = path.bytes
        return bytes.indices.contains { index in
            bytes[index] == UInt8(ascii: "/") && bytes[(index + 1)...].starts(with: "SC_Info".utf8)
        }
    }

    /// A tool that stores no file modes stores no symbolic links either.
    private static func modes(in archive: ZipArchive) -> [Finding] {
        guard !archive.keepsModes else { return [] }
        return [
            Rule.modesMissing.finding(
                "No entry has a file mode: the archive was packed by a program that keeps neither "
                    + "modes nor symbolic links.",
                at: "Payload",
            )
        ]
    }

    /// An app inside the app, as when `Payload` was added to an Xcode project.
    private static func payloadInside(_ input: InspectionInput) -> [Finding] {
        let folder = input.application.path / "Payload"
        let isInside = input.archive.entries.contains { entry in
            entry.path.relative(to: folder)?.components.first?.fileExtension == "app"
        }
        guard isInside else { return [] }
        return [
            Rule.payloadInside.inference(
                "The app contains a Payload folder with another app.",
                at: folder,
            )
        ]
    }
}

extension ZipArchive {
    /// Whether any entry has permission bits.
    var keepsModes: Bool { entries.contains { ($0.unixMode ?? 0) & 0o777 != 0 } }
}

extension Rule {
    static let archive = [
        metadataInvalid, metadataDiffers, storeLeftovers, modesMissing, payloadInside,
    ]

    fileprivate static let metadataInvalid = Rule(
        "archive.store-metadata-invalid",
        .blocks,
        "iTunesMetadata.plist is not valid",
        fix: "Remove iTunesMetadata.plist from the archive; only the App Store needs it.",
        appleCode: "0xe80000c4",
        causes: [.storeMetadataOfOtherApp],
    )
    fileprivate static let metadataDiffers = Rule(
        "archive.store-metadata-differs",
        .warns,
        "iTunesMetadata.plist belongs to another app or version",
        fix: "Remove iTunesMetadata.plist from the archive; only the App Store needs it.",
        appleCode: "0xe80000c3",
        causes: [.storeMetadataOfOtherApp],
    )
    fileprivate static let storeLeftovers = Rule(
        "archive.store-leftovers",
        .warns,
        "The app contains App Store purchase files",
        fix:
            "Publish a build that your own Xcode exported; a copy from the App Store runs only "
            + "for the account that bought it.",
        appleCode: "0xe8000038",
        causes: [.codeEncrypted],
    )
    fileprivate static let modesMissing = Rule(
        "archive.modes-missing",
        .warns,
        "The archive has lost file modes and symbolic links",
        fix: "Pack on macOS or Linux with zip -qry, which keeps both; artifact stores that "
            + "repack the archive lose them.",
        causes: [.executableModeMissing, .symbolicLinksReplaced],
    )
    fileprivate static let payloadInside = Rule(
        "archive.payload-inside",
        .warns,
        "The app contains a Payload folder with another app",
        fix: "Remove the Payload folder from the app's resources and build again.",
    )
}
