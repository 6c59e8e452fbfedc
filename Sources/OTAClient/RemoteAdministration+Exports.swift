package import APIDocuments

extension RemoteAdministration {
    /// Receives a list of comma-separated values piece by piece.
    ///
    /// - Parameters:
    ///   - list: the list.
    ///   - keep: receives each piece.
    /// - Throws: ``ServerFailure``, and what `keep` throws.
    package func receive(
        _ list: ExportedList,
        keeping keep: @escaping @Sendable ([UInt8]) throws -> Void,
    ) async throws {
        let request = ServerRequest(.get, Self.target(list.path, list.query))
        try check(try await connection.answer(to: request, keeping: keep))
    }
}
