import Bytes
import PropertyLists
import Zip

/// The digests in the seal of an app's previous signature.
///
/// A seal has two digests of each file: SHA-256, and SHA-1 in an older section that devices ignore when
/// there is a newer one. If a file still has the same SHA-256, its SHA-1 need not be computed again.
struct FormerSeal: Sendable {
    /// Maximum size in bytes of a seal that is read: about 20,000 files.
    private static let sizeLimit = 4 << 20

    private struct Digests: Sendable {
        let sha1: [UInt8]
        let sha256: [UInt8]
    }

    /// By path in the archive.
    private let files: [RelativePath: Digests]

    /// Reads the seal of the app itself, which lists every file inside it; if it is missing or
    /// unreadable, there are no digests.
    init(of application: RelativePath, in archive: ZipArchive) {
        let path = application / "_CodeSignature/CodeResources"
        guard let entry = archive[path], entry.kind == .file,
            let bytes = try? archive.contents(of: entry, atMost: Self.sizeLimit),
            let list = try? PropertyList(reading: bytes, limits: .codeResources),
            let older = list["files"]?.dictionary,
            let newer = list["files2"]?.dictionary
        else {
            files = [:]
            return
        }
        var files: [RelativePath: Digests] = [:]
        for (name, entry) in older {
            guard let sha1 = entry.data ?? entry["hash"]?.data, sha1.count == 20,
                let sha256 = newer[name]?["hash2"]?.data, sha256.count == 32
            else { continue }
            files[application / RelativePath(name)] = Digests(sha1: sha1, sha256: sha256)
        }
        self.files = files
    }

    /// Whether it has both digests of a file.
    func hasBoth(of path: RelativePath) -> Bool { files[path] != nil }

    /// The SHA-1 of a file, if the seal has the given SHA-256 for it; else nil.
    func sha1(of path: RelativePath, with sha256: [UInt8]) -> [UInt8]? {
        guard let digests = files[path], digests.sha256 == sha256 else { return nil }
        return digests.sha1
    }
}
