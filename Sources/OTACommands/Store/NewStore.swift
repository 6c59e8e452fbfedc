import Foundation

/// A store that a command has just made, for what it is about to put there.
struct NewStore: Sendable {
    private let path: String

    /// What a store has before anything is put into it.
    private static let emptiness: Set<String> = [
        "incoming", "store.json", "store.json@previous", "store.lock",
    ]

    /// - Parameter path: of its folder, which was not there.
    init(at path: String) {
        self.path = path
    }

    /// Removes it, unless something is in it: a command that fails leaves no store behind.
    func takeBack() {
        let files = FileManager.default
        guard let found = try? files.subpathsOfDirectory(atPath: path),
            Self.emptiness.isSuperset(of: found)
        else { return }
        try? files.removeItem(atPath: path)
    }
}
