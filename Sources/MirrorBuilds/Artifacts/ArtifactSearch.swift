import Bytes
import Mirrors
import Versions

/// Finds the files that a pipeline names, inside the checkout, through no link, and never below `.git`,
/// where a repository keeps its settings.
struct ArtifactSearch {
    private let folder: OpenFolder
    private let pattern: [String]

    /// Names checked, before a build that makes millions ends the search.
    private static let visitLimit = 500_000
    private static let depthLimit = 60
    static let resultLimit = 100

    init(_ pattern: String, in folder: OpenFolder) {
        self.folder = folder
        self.pattern = pattern.utf8.split(separator: UInt8(ascii: "/")).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Whether a file or folder of this name belongs to a repository, on any file system.
    static func isOfRepository(_ name: String) -> Bool {
        name.utf8.count == 4 && name.hasBytes(lastInAnyCase: ".git")
    }

    /// Whether a folder of this name is one artifact: an archive, or a result bundle, of Xcode's.
    static func isBundle(_ name: String) -> Bool {
        name.hasBytes(lastInAnyCase: ".xcarchive") || name.hasBytes(lastInAnyCase: ".xcresult")
    }

    /// Whether the pattern can match nothing because it names a repository's own folder.
    var isOfRepository: Bool { pattern.contains(where: Self.isOfRepository) }

    struct Found: Sendable, Equatable {
        /// Relative to the checkout.
        let path: String
        let isFolder: Bool
        let bytes: Int
    }

    /// What matches, by path, at most ``resultLimit``; a folder that matches stands for all in it.
    func found() -> [Found] {
        var walk = Walk(folder: folder)
        walk.visit("", pattern[...], depth: 0)
        // What matches by itself is not taken once more with the folder that it is in.
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
                // At the end it stands for every file.
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
                // As in a shell, a star does not stand for what is hidden.
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
