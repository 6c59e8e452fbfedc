package import APIDocuments
package import Uploads

extension RemoteAdministration {
    /// The unfinished uploads of this token; for an `admin` token, those of all.
    ///
    /// - Returns: the uploads, oldest first.
    /// - Throws: ``ServerFailure``.
    package func uploads() async throws -> UploadsDocument {
        let request = ServerRequest(.get, Self.target(["uploads"], []))
        return try document(of: try await connection.answer(to: request))
    }

    /// Cancels an upload, and removes its bytes.
    ///
    /// - Parameter upload: the upload's identifier.
    /// - Throws: ``ServerFailure``.
    package func cancel(_ upload: UploadIdentifier) async throws {
        let request = ServerRequest(.delete, Self.target(["uploads", "\(upload)"], []))
        try check(try await connection.answer(to: request))
    }
}
