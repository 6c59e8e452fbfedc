package import Foundation

/// Creates a temporary folder, passes it to `body`, and deletes it afterwards.
package func withTemporaryFolder<Result>(
    _ body: (URL) async throws -> Result
) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "ota-test-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
        Traces.keep(from: folder)
        try? FileManager.default.removeItem(at: folder)
    }
    return try await body(folder)
}
