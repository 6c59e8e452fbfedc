package import APIDocuments

extension RemoteAdministration {
    /// Sends an action to the server, which performs it in the name of the token.
    ///
    /// - Returns: the server's document.
    /// - Throws: ``ServerFailure`` with what the server says when it refuses.
    package func perform<Sent: Action>(_ action: Sent) async throws -> Sent.Answer
    where Sent.Answer: Decodable {
        let (path, query) = try action.address
        let method = ServerRequest.Method(Sent.route.method)
        guard Sent.Content.self != NoContent.self else {
            return try await send(method, path, query)
        }
        return try await send(method, path, action.content)
    }
}

extension ServerRequest.Method {
    fileprivate init(_ method: ActionRoute.Method) {
        self =
            switch method {
            case .get: .get
            case .post: .post
            case .put: .put
            case .patch: .patch
            case .delete: .delete
            }
    }
}
