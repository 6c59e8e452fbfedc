package import APIDocuments
package import Bytes
package import Identifiers

extension RemoteAdministration {
    /// Sends an archive of dSYMs.
    ///
    /// - Parameters:
    ///   - archive: a ZIP archive.
    ///   - release: the release to which they belong, as a user names it.
    ///   - app: the app as a user names it.
    ///   - progress: called with the number of bytes that were read.
    /// - Returns: all dSYMs of the release.
    /// - Throws: ``ServerFailure``, `SourceFailure`.
    package func addSymbols(
        _ archive: FileSource,
        to release: String,
        of app: String,
        progress: @escaping @Sendable (Int) -> Void,
    ) async throws -> SymbolsDocument {
        let path = ["apps", app, "releases", release, "symbols"]
        var request = ServerRequest(.post, Self.target(path, []))
        request.fields = [("content-type", "application/zip")]
        let file = UploadFile(source: archive, range: 0..<archive.count, progress: progress)
        return try document(of: try await connection.answer(to: request, sending: file))
    }

    /// Writes the archive of a dSYM to a path.
    ///
    /// - Returns: the number of bytes.
    package func saveSymbols(
        _ uuid: ImageUUID,
        of release: String,
        _ app: String,
        to file: String,
    ) async throws -> Int {
        let path = ["apps", app, "releases", release, "symbols", "\(uuid)"]
        let kept = try ReceivedFile(file)
        let request = ServerRequest(.get, Self.target(path, []))
        let answer = try await connection.answer(to: request) { try kept.append($0) }
        try check(answer)
        return try kept.finish()
    }
}
