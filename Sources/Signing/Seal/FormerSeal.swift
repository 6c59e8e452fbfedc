import Bytes
import PropertyLists
import Zip

/// The digests that the seal of an app's last signature names.
///
/// A seal has two of each file: SHA-256, and SHA-1 in an older part that no device reads where there is a
/// newer one. If a file still has the same SHA-256, its SHA-1 need not be computed again.
struct FormerSeal: Sendable {
    /// Bytes of a seal that is read for this: some 20,000 files.
    private static let sizeLimit = 4 << 20

    private struct Digests: Sendable {
        let sha1: [UInt8]
        let sha256: [UInt8]
    }

    /// By path in the archive.
    private let files: [RelativePath: Digests]

    /// Reads the seal of the app itself, which lists every file inside it; none is as good as one that
    /// cannot be read.
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

    /// Whether it names both digests of a file.
    func hasBoth(of path: RelativePath) -> Bool { files[path] != nil }

    /// The SHA-1 that it names of a file whose SHA-256 is also the one that it names; else nil.
    func sha1(of path: RelativePath, with sha256: [UInt8]) -> [UInt8]? {
        guard let digests = files[path], digests.sha256 == sha256 else { return nil }
        return digests.sha1
    }
}
