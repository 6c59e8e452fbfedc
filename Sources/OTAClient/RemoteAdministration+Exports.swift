package import APIDocuments

extension RemoteAdministration {
    /// Hands on a list of comma-separated values as it comes.
    ///
    /// - Parameters:
    ///   - list: what is wanted.
    ///   - keep: takes a part of it.
    /// - Throws: ``ServerFailure``, and what `keep` throws.
    package func receive(
        _ list: ExportedList,
        keeping keep: @escaping @Sendable ([UInt8]) throws -> Void,
    ) async throws {
        let request = ServerRequest(.get, Self.target(list.path, list.query))
        try check(try await connection.answer(to: request, keeping: keep))
    }
}
