import Bundles
import Bytes
import Zip

/// The rules about the archive and the structure of its contents.
extension Rule {
    static let zip: [Rule] = ZipRule.allCases.map(Rule.init)
    static let bundle: [Rule] =
        BundleRule.allCases.map(Rule.init) + [executableMissing, executableMode] + archive

    fileprivate init(_ rule: ZipRule) {
        self.init(
            rule.rawValue,
            .blocks,
            rule.title,
            fix: rule.fix,
            appleCode: Self.appleCode(of: rule),
            causes: Self.causes(of: rule),
        )
    }

    fileprivate init(_ rule: BundleRule) {
        self.init(
            rule.rawValue,
            .blocks,
            rule.title,
            fix: rule.fix,
            appleCode: [.tooManyBundles, .androidApplication].contains(rule) ? nil : "0xe8000051",
            causes: rule == .tooManyBundles ? [] : [.appMissing],
        )
    }

    /// PackageExtractionFailed or InvalidSymlink; nil for archives that only this program refuses.
    private static func appleCode(of rule: ZipRule) -> String? {
        switch rule {
        case .escapingSymlink: "0xe80000bf"
        case .notAnArchive, .truncated, .malformedDirectory, .corruptDeflate, .checksum,
            .sizeMismatch, .encrypted, .unsupportedMethod, .multiDisk:
            "0xe8000050"
        default: nil
        }
    }
}

extension Rule {
    /// The causes that a refused archive may have.
    private static func causes(of rule: ZipRule) -> [Cause] {
        switch rule {
        case .escapingSymlink: [.symbolicLinkEscapes]
        case .notAnArchive, .truncated, .malformedDirectory, .corruptDeflate, .checksum,
            .encrypted, .unsupportedMethod, .multiDisk:
            [.archiveDamaged]
        case .sizeMismatch: [.archiveDamaged, .archiveTooLargeWithoutZIP64]
        case .countMismatch: [.archiveTooLargeWithoutZIP64]
        default: []
        }
    }
}

extension Finding {
    /// A finding that the archive cannot be read.
    init(_ refusal: ZipRefusal) {
        let message =
            refusal.rule == .notAnArchive
            ? "The file is not a ZIP archive, as an .ipa must be."
            : "The archive was rejected: \(refusal)."
        self = Rule(refusal.rule).finding(message, at: refusal.place)
    }

    /// A finding that a bundle cannot be read.
    init(_ refusal: BundleRefusal) {
        switch refusal {
        case .archive(let refusal):
            self.init(refusal)
        case .bundle(let rule, let place, let detail):
            self = Rule(rule).finding(Self.sentence(place, detail), at: place)
        }
    }

    private static func sentence(_ place: String, _ detail: String) -> String {
        "\(PrintableText(escaping: place, limit: 300)): "
            + "\(PrintableText(escaping: detail, limit: 300))."
    }
}
