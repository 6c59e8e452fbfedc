import PropertyLists

/// The contents of a manifest, as far as they could be read.
struct Offer: Equatable {
    var title: String?
    var bundleIdentifier: String?
    var bundleVersion: String?
    var archive: WebAddress?
    var icons: [Icon] = []
    var digests: PieceDigests?

    struct Icon: Equatable {
        let kind: Kind
        let address: WebAddress

        enum Kind: String {
            case small = "display-image"
            case large = "full-size-image"

            /// The side of the square icon in pixels.
            var side: Int { self == .small ? 57 : 512 }
        }
    }

    /// Reads `items[0]`; faults are added to `notes`.
    ///
    /// The keys are those of Apple's ManifestURL documentation (Device Management).
    init(_ manifest: PropertyList, noting notes: inout StepNotes) {
        guard let items = manifest["items"]?.array, let item = items.first else {
            notes.faults.append(Self.incomplete("it has no items"))
            return
        }
        if items.count > 1 {
            notes.facts.append("\(items.count) items; only the first is used")
        }
        readMetadata(item["metadata"], noting: &notes)
        let assets = item["assets"]?.array ?? []
        if assets.isEmpty { notes.faults.append(Self.incomplete("its item has no assets")) }
        readArchive(
            assets.first { $0["kind"]?.string == "software-package" },
            noting: &notes,
        )
        for asset in assets {
            guard let kind = asset["kind"]?.string.flatMap(Icon.Kind.init(rawValue:)) else {
                continue
            }
            readIcon(kind, at: asset["url"]?.string, noting: &notes)
        }
        for kind in [Icon.Kind.small, .large] where !icons.contains(where: { $0.kind == kind }) {
            notes.facts.append("no \(kind.rawValue)")
        }
    }

    private mutating func readMetadata(
        _ metadata: PropertyList?,
        noting notes: inout StepNotes,
    ) {
        title = metadata?["title"]?.string
        bundleIdentifier = metadata?["bundle-identifier"]?.string
        bundleVersion = metadata?["bundle-version"]?.string
        if metadata?.dictionary == nil {
            notes.faults.append(Self.incomplete("its item has no metadata"))
            return
        }
        if title?.allSatisfy(\.isWhitespace) ?? true {
            notes.faults.append(
                .failure(
                    .manifestTitle,
                    "the title is \(title == nil ? "missing" : "empty")",
                    shown: .cannotDownload(title: "(null)"),
                    fix: "Put the app's name into metadata.title.",
                )
            )
        }
        if bundleIdentifier?.isEmpty ?? true {
            notes.faults.append(Self.incomplete("metadata has no bundle-identifier"))
        }
        if metadata?["kind"]?.string != "software" {
            let kind = metadata?["kind"]?.string.map { "“\($0)”" } ?? "missing"
            notes.faults.append(
                .failure(
                    .manifestKind,
                    "metadata.kind is \(kind), but must be software",
                    shown: .cannotDownload(title: title),
                    fix: "Set metadata.kind to software.",
                )
            )
        }
        let version = bundleVersion.map { " \($0)" } ?? ""
        notes.facts.append("“\(title ?? "")” (\(bundleIdentifier ?? "no identifier"))\(version)")
    }

    private mutating func readArchive(_ asset: PropertyList?, noting notes: inout StepNotes) {
        guard let asset else {
            notes.faults.append(Self.incomplete("no asset is of the kind software-package"))
            return
        }
        let text = asset["url"]?.string ?? ""
        guard let address = WebAddress(text) else {
            notes.faults.append(
                Self.incomplete("the software-package has no url that is an absolute web address")
            )
            return
        }
        archive = address
        if !address.isSecure {
            notes.faults.append(
                .failure(
                    .archivePlain,
                    "the app's URL is http://, but iOS accepts only https://",
                    shown: .cannotConnect(host: address.host),
                    fix: "Serve the app over HTTPS and write https:// into the manifest.",
                )
            )
        }
        do throws(PieceDigests.Malformed) {
            digests = try PieceDigests(asset)
        } catch {
            notes.faults.append(
                .failure(
                    .manifestDigests,
                    error.description,
                    shown: .cannotDownload(title: title),
                    fix: "Compute the digests again from the app that is served, or leave them "
                        + "out.",
                )
            )
        }
    }

    private mutating func readIcon(
        _ kind: Icon.Kind,
        at text: String?,
        noting notes: inout StepNotes,
    ) {
        guard let address = text.flatMap({ WebAddress($0) }) else {
            notes.faults.append(
                .warning(
                    .iconMissing,
                    "the \(kind.rawValue) has no usable URL",
                    fix: "Give the absolute https:// URL of the icon.",
                )
            )
            return
        }
        icons.append(Icon(kind: kind, address: address))
        if !address.isSecure {
            notes.faults.append(
                .warning(
                    .iconPlain,
                    "the \(kind.rawValue) has an http:// URL",
                    fix: "Serve the icons over HTTPS too.",
                )
            )
        }
    }

    private static func incomplete(_ message: String) -> Fault {
        .failure(
            .manifestIncomplete,
            message,
            shown: .cannotDownload(title: nil),
            fix:
                "Write the manifest as in Apple's ManifestURL documentation, or let ota create it.",
        )
    }
}
