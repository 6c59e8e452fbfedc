/// The reasons for which an archive is refused; the raw value is the finding's identifier.
///
/// Unpackers disagree on an archive that violates one of these, so the phone could install something
/// other than what was inspected. Nothing is repaired or guessed.
package enum ZipRule: String, CaseIterable, Sendable {
    /// No end record and no local header: some other file type.
    case notAnArchive = "zip.not-an-archive"
    /// The text file that Git LFS stores in place of a large file.
    case gitPointer = "zip.git-lfs-pointer"
    /// The archive ends before its records say.
    case truncated = "zip.truncated"
    /// The directory or an end record violates APPNOTE 4.3.
    case malformedDirectory = "zip.malformed-directory"
    /// Two entries have the same path, or a file is also the folder of another entry.
    case duplicateEntry = "zip.duplicate-entry"
    /// Two paths differ only in case or Unicode normalization.
    case caseCollision = "zip.case-collision"
    /// A path leads outside the archive, or could be read as another one.
    case unsafePath = "zip.unsafe-path"
    /// An entry without a name.
    case emptyName = "zip.empty-name"
    /// A name that is not UTF-8, or that disagrees with its Unicode Path extra field.
    case ambiguousName = "zip.ambiguous-name"
    /// A device, a socket, or an entry that claims to be a file and a folder at once.
    case ambiguousKind = "zip.ambiguous-kind"
    /// The header before the data, or the descriptor after it, disagrees with the directory.
    case headerMismatch = "zip.header-mismatch"
    /// Two entries share bytes, or an entry reaches into the directory.
    case overlap = "zip.overlap"
    /// Bytes before the first entry.
    case prefixData = "zip.prefix-data"
    /// Bytes between entries, or between the directory and its end record.
    case gap = "zip.gap"
    /// Bytes after the end record and its comment.
    case trailingData = "zip.trailing-data"
    /// More than one record could be taken for the end record.
    case severalEnds = "zip.several-ends"
    /// The directory has more or fewer entries than its end record says.
    case countMismatch = "zip.count-mismatch"
    /// An entry or the directory is encrypted.
    case encrypted = "zip.encrypted"
    /// A part of a multi-part archive.
    case multiDisk = "zip.multi-disk"
    /// A compression method other than stored and deflate.
    case unsupportedMethod = "zip.unsupported-method"
    /// Sizes that deflate cannot reach, or that only a decompression bomb has.
    case ratio = "zip.ratio"
    /// Larger than the limits.
    case tooLarge = "zip.too-large"
    /// More entries and folders than the limits allow.
    case tooManyEntries = "zip.too-many-entries"
    /// A symbolic link whose target is outside its bundle.
    case escapingSymlink = "zip.escaping-symlink"
    /// The contents do not match the CRC-32 in the directory.
    case checksum = "zip.checksum"
    /// The contents are longer or shorter than the directory says.
    case sizeMismatch = "zip.size-mismatch"
    /// The compressed data is not a deflate stream.
    case corruptDeflate = "zip.corrupt-deflate"
    /// An extra field that changes the entry's meaning is malformed.
    case malformedExtra = "zip.malformed-extra"
    /// Reading the source failed; the archive may be valid.
    case unreadable = "zip.unreadable"
}

extension ZipRule {
    /// What the creator of the archive can do, as one sentence.
    package var fix: String {
        switch self {
        case .notAnArchive:
            "Publish the .ipa that `xcodebuild -exportArchive` wrote, not the .xcarchive, the .app "
                + "folder or an error page that was saved under that name."
        case .gitPointer:
            "Fetch the file itself with `git lfs pull`, or in GitHub Actions with `lfs: true` for "
                + "actions/checkout, and try again."
        case .truncated:
            "Copy or upload the file again: its end is missing."
        case .malformedDirectory, .corruptDeflate, .checksum, .sizeMismatch:
            "The file is damaged: export it again, and compare its SHA-256 before and after each "
                + "copy."
        case .duplicateEntry:
            "Export again into an empty folder, and do not add files to an existing .ipa with "
                + "`zip -g`."
        case .caseCollision:
            "Rename one of the two files in the project so that they differ in more than case or "
                + "accents."
        case .unsafePath, .emptyName:
            "Pack with `zip -qry app.ipa Payload` from the folder that holds Payload, with plain "
                + "relative paths."
        case .ambiguousName:
            "Name the file in UTF-8, without older encodings; the archivers of macOS and Info-ZIP "
                + "do."
        case .ambiguousKind:
            "Remove everything but files, folders and symbolic links from the bundle and pack it "
                + "again."
        case .headerMismatch, .overlap, .gap, .severalEnds, .countMismatch, .malformedExtra:
            "Unpack and pack the archive again with `zip -qry` or `ditto`; the tool that wrote or "
                + "changed it left records that disagree."
        case .prefixData:
            "Remove what precedes the first entry (a self-extracting stub, an HTTP header), or "
                + "export again."
        case .trailingData:
            "Remove what follows the archive's end (a signature, padding, a second archive), or "
                + "export again."
        case .encrypted:
            "Pack without a password; a phone cannot ask for one."
        case .multiDisk:
            "Join the parts into one archive first: `zip -s 0 parts.zip --out app.ipa`."
        case .unsupportedMethod:
            "Pack with deflate or without compression; phones read nothing else."
        case .ratio:
            "Remove huge files of repeated bytes from the bundle, or create them at first launch."
        case .tooLarge, .tooManyEntries:
            "Move part of the resources out of the bundle; the archive is beyond what this server "
                + "accepts."
        case .escapingSymlink:
            "Replace the link with the file that it points to, or make it relative and inside the "
                + "app."
        case .unreadable:
            "Check the disk and the permissions of the file, then try again."
        }
    }
}
