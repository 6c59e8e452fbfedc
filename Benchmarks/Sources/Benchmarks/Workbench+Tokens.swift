import Foundation

extension Workbench {
    /// Creates a token with a scope.
    ///
    /// - Returns: the path of the file with its secret.
    func token(_ scope: String, in store: String) throws -> String {
        let name = "bench-\(UUID().uuidString.prefix(8))"
        let file = path(name)
        try run(
            [ota, "tokens", "create", "--name", name, "--scope", scope, "--file", file]
                + ["--store", store]
        )
        return file
    }
}
