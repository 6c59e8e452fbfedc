import Foundation

/// A store that a command has just created for its first action.
struct NewStore: Sendable {
    private let path: String

    /// The files of an empty store.
    private static let emptiness: Set<String> = [
        "incoming", "store.json", "store.json@previous", "store.lock",
    ]

    /// - Parameter path: the path of its folder, which did not exist.
    init(at path: String) {
        self.path = path
    }

    /// Removes the store if it is still empty: a command that fails leaves no store behind.
    func takeBack() {
        let files = FileManager.default
        guard let found = try? files.subpathsOfDirectory(atPath: path),
            Self.emptiness.isSuperset(of: found)
        else { return }
        try? files.removeItem(atPath: path)
    }
}
