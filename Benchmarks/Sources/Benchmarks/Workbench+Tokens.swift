import Foundation

extension Workbench {
    /// Makes a token of a scope.
    ///
    /// - Returns: the path of the file that its secret is in.
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
