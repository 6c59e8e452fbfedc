package import APIDocuments
package import Uploads

extension RemoteAdministration {
    /// The uploads of this token that are not finished; with `admin`, those of all.
    ///
    /// - Returns: them, the oldest first.
    /// - Throws: ``ServerFailure``.
    package func uploads() async throws -> UploadsDocument {
        let request = ServerRequest(.get, Self.target(["uploads"], []))
        return try document(of: try await connection.answer(to: request))
    }

    /// Cancels an upload, and removes its bytes.
    ///
    /// - Parameter upload: its identifier.
    /// - Throws: ``ServerFailure``.
    package func cancel(_ upload: UploadIdentifier) async throws {
        let request = ServerRequest(.delete, Self.target(["uploads", "\(upload)"], []))
        try check(try await connection.answer(to: request))
    }
}
