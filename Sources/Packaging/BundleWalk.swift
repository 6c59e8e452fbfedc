import Bytes
import Foundation
import Zip

/// Everything in an app's folder, in an order that does not depend on the disk.
struct BundleWalk {
    struct Entry: Hashable {
        /// Below the app's folder; empty for itself.
        let path: String
        let kind: Kind
    }

    enum Kind: Hashable {
        case folder
        case file(size: Int, isExecutable: Bool)
        case link(target: String)
    }

    private static let depthLimit = 64

    private let root: String
    /// The folder's name in the IPA: links are judged there.
    private let place: String
    private let limits: PackageLimits
    private(set) var entries: [Entry] = []
    private var size = 0

    /// Walks through the folder `root`, which becomes `place`.
    ///
    /// - Throws: ``PackageRefusal`` for the first thing that an IPA cannot or must not hold.
    init(
        _ root: String,
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
            let file = root + "/" + path
            var status = stat()
            guard unsafe lstat(file, &status) == 0 else {
                throw .unreadable(path, reason: Self.reason)
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: try walk(path, depth: depth + 1)
            case S_IFREG:
                size += Int(status.st_size)
                guard size <= limits.bytes else { throw .tooLarge(bytes: limits.bytes) }
                let isExecutable = status.st_mode & 0o111 != 0
                try add(
                    Entry(
                        path: path,
                        kind: .file(size: Int(status.st_size), isExecutable: isExecutable),
                    )
                )
            case S_IFLNK: try add(Entry(path: path, kind: .link(target: target(of: path))))
            default: throw .special(path)
            }
        }
    }

    private mutating func add(_ entry: Entry) throws(PackageRefusal) {
        guard entries.count < limits.entries else { throw .tooMany(entries: limits.entries) }
        entries.append(entry)
    }

    /// Sorted by their bytes; what the Finder and version control leave behind is no part of an app.
    private func names(in path: String) throws(PackageRefusal) -> [String] {
        guard let stream = unsafe opendir(root + "/" + path) else {
            throw .unreadable(path, reason: Self.reason)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                unsafe Array(buffer.prefix { $0 != 0 })
            }
            guard let name = String(validating: bytes, as: UTF8.self),
                !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") })
            else {
                throw .badName(PrintableText(escaping: bytes[...]).text)
            }
            guard ![".", "..", ".DS_Store"].contains(name) else { continue }
            names.append(name)
            guard names.count <= limits.entries else { throw .tooMany(entries: limits.entries) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// - Throws: ``PackageRefusal/escapingLink(_:reason:)`` for one that leaves the app.
    private func target(of path: String) throws(PackageRefusal) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink(root + "/" + path, &buffer, buffer.count)
        guard count >= 0 else { throw .unreadable(path, reason: Self.reason) }
        let bytes = buffer[..<count].map { UInt8(bitPattern: $0) }
        if let reason = ZipArchive.escape(of: place + "/" + path, to: bytes) {
            throw .escapingLink(path, reason: reason)
        }
        guard let target = String(validating: bytes, as: UTF8.self) else {
            throw .badName(PrintableText(escaping: bytes[...]).text)
        }
        return target
    }

    private static var reason: String { unsafe String(cString: strerror(errno)).lowercased() }
}
