import Bytes
import Mirrors
import Versions

/// Finds the files that a pipeline names in the checkout.
///
/// It follows no symbolic links and never enters `.git`, where a repository keeps its settings.
struct ArtifactSearch {
    private let folder: OpenFolder
    private let pattern: [String]

    /// The number of names checked before the search ends, in case a build makes millions of files.
    private static let visitLimit = 500_000
    private static let depthLimit = 60
    static let resultLimit = 100

    init(_ pattern: String, in folder: OpenFolder) {
        self.folder = folder
        self.pattern = pattern.utf8.split(separator: UInt8(ascii: "/")).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Whether a file or folder of this name is a repository's `.git`, on any file system.
    static func isOfRepository(_ name: String) -> Bool {
        name.utf8.count == 4 && name.hasBytes(lastInAnyCase: ".git")
    }

    /// Whether a folder of this name is one artifact: an Xcode archive or result bundle.
    static func isBundle(_ name: String) -> Bool {
        name.hasBytes(lastInAnyCase: ".xcarchive") || name.hasBytes(lastInAnyCase: ".xcresult")
    }

    /// Whether the pattern can match nothing because it names `.git`.
    var isOfRepository: Bool { pattern.contains(where: Self.isOfRepository) }

    struct Found: Sendable, Equatable {
        /// Relative to the checkout.
        let path: String
        let isFolder: Bool
        let bytes: Int
    }

    /// Returns the matches, sorted by path, at most ``resultLimit``.
    ///
    /// A folder that matches includes everything in it.
    func found() -> [Found] {
        var walk = Walk(folder: folder)
        walk.visit("", pattern[...], depth: 0)
        // A file in a folder that matches is not listed a second time.
        let folders = Set(walk.found.keys.flatMap(\.folders))
        return walk.found.filter { !folders.contains($0.key) }.sorted { $0.key < $1.key }
            .map(\.value)
    }

    private struct Walk {
        let folder: OpenFolder
        var found: [RelativePath: Found] = [:]
        var visits = 0

        mutating func visit(_ path: String, _ pattern: ArraySlice<String>, depth: Int) {
            guard let first = pattern.first, depth < ArtifactSearch.depthLimit else { return }
            let rest = pattern.dropFirst()
            if first == "**" {
                // At the end of a pattern, `**` matches every file.
                visit(path, rest.isEmpty ? ["*"] : rest, depth: depth)
                for name in names(in: path) where kind(of: join(path, name)) == .folder {
                    guard !ArtifactSearch.isBundle(name) else { continue }
                    visit(join(path, name), pattern, depth: depth + 1)
                }
                return
            }
            let isPlain = !first.contains { "*?".contains($0) }
            let wildcard = Wildcard(first, crossing: false)
            for name in isPlain ? [first] : names(in: path) where wildcard.matches(name) {
                guard !ArtifactSearch.isOfRepository(name) else { continue }
                // As in a shell, a star does not match hidden names.
                guard isPlain || !name.hasBytes(first: ".") else { continue }
                let place = join(path, name)
                switch kind(of: place) {
                case .folder where rest.isEmpty: add(place, isFolder: true, bytes: 0)
                case .folder: visit(place, rest, depth: depth + 1)
                case .file(let bytes) where rest.isEmpty:
                    add(place, isFolder: false, bytes: bytes)
                default: continue
                }
            }
        }

        private mutating func add(_ path: String, isFolder: Bool, bytes: Int) {
            guard found.count < ArtifactSearch.resultLimit else { return }
            found[RelativePath(path)] = Found(path: path, isFolder: isFolder, bytes: bytes)
        }

        private mutating func names(in path: String) -> [String] {
            guard visits < ArtifactSearch.visitLimit,
                let names = try? folder.folder(at: path)
                    .names(atMost: ArtifactSearch.visitLimit)
            else { return [] }
            visits += names.count
            return names.map { String(decoding: $0, as: UTF8.self) }
                .filter { !ArtifactSearch.isOfRepository($0) }
        }

        private func kind(of path: String) -> OpenFolder.Kind? {
            folder.status(of: path)?.kind
        }

        private func join(_ path: String, _ name: String) -> String {
            path.isEmpty ? name : path + "/" + name
        }
    }
}
