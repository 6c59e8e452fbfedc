import Bundles
import Zip

extension ZipRule {
    /// The title of the rule, without a full stop.
    var title: String {
        switch self {
        case .notAnArchive: "The file is not a ZIP archive"
        case .gitPointer: "The file is a Git LFS pointer"
        case .truncated: "The archive is incomplete"
        case .malformedDirectory: "The archive's directory is malformed"
        case .duplicateEntry: "Two entries have the same path"
        case .caseCollision: "Two paths differ only in case or accents"
        case .unsafePath: "A path leads out of the archive or is ambiguous"
        case .emptyName: "An entry has no name"
        case .ambiguousName: "A file name is not clearly encoded"
        case .ambiguousKind: "An entry is not a file, folder or symbolic link"
        case .headerMismatch: "An entry's header contradicts the directory"
        case .overlap: "Entries overlap"
        case .prefixData: "The archive begins with foreign data"
        case .gap: "There is unused data between entries"
        case .trailingData: "Data follows the end of the archive"
        case .severalEnds: "The archive has several end records"
        case .countMismatch: "The number of entries is wrong"
        case .encrypted: "The archive is encrypted"
        case .multiDisk: "The archive is split into several files"
        case .unsupportedMethod: "An entry uses an unsupported compression"
        case .ratio: "An entry's compression ratio is above the limit"
        case .tooLarge: "The archive is too large"
        case .tooManyEntries: "The archive has too many entries"
        case .escapingSymlink: "A symbolic link leads out of the app"
        case .checksum: "A file does not match its checksum"
        case .sizeMismatch: "A file does not have its stated size"
        case .corruptDeflate: "A file's compressed data is damaged"
        case .malformedExtra: "An entry's extra field is malformed"
        case .unreadable: "The file could not be read"
        }
    }
}

extension BundleRule {
    /// The title of the rule, without a full stop.
    var title: String {
        switch self {
        case .noApplication: "The archive contains no app"
        case .androidApplication: "The file is an Android app"
        case .severalApplications: "The archive contains several apps"
        case .payloadNested: "The Payload folder is inside another folder"
        case .payloadMisspelt: "The Payload folder is misspelt"
        case .infoMissing: "A bundle has no Info.plist"
        case .infoMalformed: "An Info.plist cannot be read"
        case .tooManyBundles: "The app has too many nested bundles"
        }
    }
}
