import NIOCore

/// Answers requests of one connection from the response cache, and enters them in the access log.
struct CachedAnswers {
    let shared: ConnectionContext
    let rawWriter: RawResponseWriter

    /// Writes the cached response to a request.
    ///
    /// - Parameters:
    ///   - request: a request without a body.
    ///   - client: the peer's IP address.
    /// - Returns: the number of bytes written; nil if a route has to answer. Routes also send responses
    ///   longer than one piece.
    func answer(_ request: AskedRequest, from client: String) -> Int? {
        guard
            let answer = shared.answers.answer(
                for: request.target,
                agent: { request.agent },
                languages: { request.languages.joined(separator: ",") },
                cookies: { request.cookies },
            ),
            answer.body.readableBytes <= CachedResponse.piece
        else { return nil }
        if !request.isHead { answer.whenGiven?(address(of: request, peer: client)) }
        let began = ContinuousClock.now
        let isFresh =
            !request.entityTags.isEmpty
            && answer.etag.map { EntityTag.isListed($0, in: request.entityTags) } == true
        let form: CachedResponse.Form =
            if isFresh { .notModified } else if request.isHead { .head } else { .full }
        let bytes = rawWriter.write(answer, form, connection(after: request))
        shared.accessLog.enter(
            Exchange(
                method: request.isHead ? "HEAD" : "GET",
                target: request.target,
                status: form == .notModified ? 304 : answer.status,
                bytes: bytes,
                client: client,
                agent: request.agent ?? "",
                route: answer.route,
                duration: ContinuousClock.now - began,
            )
        )
        return bytes + answer.capacity(.head)
    }

    private func connection(after request: AskedRequest) -> CachedResponse.Connection {
        if request.isLast { return .close }
        return request.isVersionOnePointZero ? .keepAlive : .unsaid
    }

    private func address(of request: AskedRequest, peer: String) -> String {
        ClientAddress.of(
            peer: peer,
            forwardedFor: request.forwardedFor.joined(separator: ","),
            proxies: shared.proxies,
        )
    }
}
