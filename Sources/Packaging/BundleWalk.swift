import Bytes
import Zip

/// The entries of an app's folder, in an order that does not depend on the file system.
struct BundleWalk {
    struct Entry: Hashable {
        /// Relative to the app's folder; empty for the folder itself.
        let path: String
        let kind: Kind
    }

    enum Kind: Hashable {
        case folder
        case file(size: Int, isExecutable: Bool)
        case link(target: String)
    }

    private static let depthLimit = 64

    private let root: OpenFolder
    /// The folder's path in the IPA, relative to which links are checked.
    private let place: String
    private let limits: PackageLimits
    private(set) var entries: [Entry] = []
    private var size = 0

    /// Walks the folder `root`, whose path in the IPA is `place`.
    ///
    /// - Throws: ``PackageRefusal`` for the first entry that an IPA cannot or must not contain.
    init(
        _ root: OpenFolder,
        as place: String,
        limits: PackageLimits,
    ) throws(PackageRefusal) {
        self.root = root
        self.place = place
        self.limits = limits
        try walk("", depth: 0)
    }

    private mutating func walk(_ path: String, depth: Int) throws(PackageRefusal) {
        guard depth < Self.depthLimit else { throw .tooDeep(path) }
        try add(Entry(path: path, kind: .folder))
        for name in try names(in: path) {
            let path = path.isEmpty ? name : path + "/" + name
            guard let status = root.status(of: path) else { throw .changed(path) }
            switch status.kind {
            case .folder: try walk(path, depth: depth + 1)
            case .file(let count):
                size += count
                guard size <= limits.bytes else { throw .tooLarge(bytes: limits.bytes) }
                let isExecutable = status.mode & 0o111 != 0
                try add(
                    Entry(path: path, kind: .file(size: count, isExecutable: isExecutable))
                )
            case .link: try add(Entry(path: path, kind: .link(target: target(of: path))))
            case .special: throw .special(path)
            }
        }
    }

    private mutating func add(_ entry: Entry) throws(PackageRefusal) {
        guard entries.count < limits.entries else { throw .tooMany(entries: limits.entries) }
        entries.append(entry)
    }

    /// Sorted by bytes, without files of the Finder and of version control, which are not part of an app.
    private func names(in path: String) throws(PackageRefusal) -> [String] {
        let all: [[UInt8]]
        do throws(SourceFailure) {
            all = try root.folder(at: path).names(atMost: limits.entries + 1)
        } catch {
            throw .unreadable(path, reason: error.reason)
        }
        guard all.count <= limits.entries else { throw .tooMany(entries: limits.entries) }
        var names: [String] = []
        for bytes in all {
            guard let name = String(validating: bytes, as: UTF8.self),
                !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") })
            else {
                throw .badName(PrintableText(escaping: bytes[...]).text)
            }
            if name != ".DS_Store" { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// - Throws: ``PackageRefusal/escapingLink(_:reason:)`` for a link that leads outside the app.
    private func target(of path: String) throws(PackageRefusal) -> String {
        let bytes: [UInt8]
        do throws(SourceFailure) {
            bytes = try root.target(of: path)
        } catch {
            throw .unreadable(path, reason: error.reason)
        }
        if let reason = ZipArchive.escape(of: RelativePath(place + "/" + path), to: bytes) {
            throw .escapingLink(path, reason: reason)
        }
        guard let target = String(validating: bytes, as: UTF8.self) else {
            throw .badName(PrintableText(escaping: bytes[...]).text)
        }
        return target
    }
}
