import Bytes
import Cryptography

/// The files of an app as its seals will describe them, updated while the nested bundles are signed.
struct SealedFiles: Sendable {
    /// By path in the archive.
    private(set) var facts: [RelativePath: CodeResources.Sealed]
    /// Sorted by bytes, so that the files of one folder are contiguous.
    private var paths: [RelativePath]

    init(_ facts: [RelativePath: CodeResources.Sealed]) {
        self.facts = facts
        paths = facts.keys.sorted()
    }

    mutating func note(_ sealed: CodeResources.Sealed, at path: RelativePath) {
        if facts.updateValue(sealed, forKey: path) == nil {
            paths.insert(path, at: index(of: path))
        }
    }

    mutating func note(_ contents: [UInt8], at path: RelativePath) {
        note(
            .file(
                sha1: DigestAlgorithm.sha1.digest(of: contents),
                sha256: DigestAlgorithm.sha256.digest(of: contents),
            ),
            at: path,
        )
    }

    mutating func remove(_ path: RelativePath) {
        guard facts.removeValue(forKey: path) != nil else { return }
        let index = index(of: path)
        if index < paths.count, paths[index] == path { paths.remove(at: index) }
    }

    /// The seal of a bundle whose files are final; `program` is its executable, which is left out.
    func seal(of bundle: RelativePath, program: RelativePath) -> CodeResources {
        // Paths in the bundle begin with its name and a slash; the byte after the slash ends the range.
        let first = index(of: RelativePath(bundle.bytes + [UInt8(ascii: "/")]))
        let end = index(of: RelativePath(bundle.bytes + [UInt8(ascii: "/") + 1]))
        var files: [RelativePath: CodeResources.Sealed] = [:]
        for path in paths[first..<end] where path != program {
            guard let inside = path.relative(to: bundle), CodeResources.isSealed(inside) else {
                continue
            }
            files[inside] = facts[path]
        }
        return CodeResources(files)
    }

    /// The index of a path in ``paths``, or where it would be inserted.
    private func index(of path: RelativePath) -> Int {
        var low = 0
        var high = paths.count
        while low < high {
            let middle = (low + high) / 2
            if paths[middle] < path { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
