import NIOCore
import NIOHTTP1

/// Answers requests of one connection from the response cache, and enters them in the access log.
struct CachedAnswers {
    let shared: ConnectionContext
    let rawWriter: RawResponseWriter

    /// Writes the cached response to a request.
    ///
    /// - Parameters:
    ///   - head: the head of a request without a body.
    ///   - client: the address of the peer.
    ///   - connection: what the response says about the future of the connection.
    /// - Returns: the bytes that were written; nil for what a route has to answer. Routes also send large
    ///   responses, one piece at a time.
    func answer(
        _ head: HTTPRequestHead,
        from client: String,
        _ connection: CachedResponse.Connection,
    ) -> Int? {
        guard head.method == .GET || head.method == .HEAD,
            let answer = shared.answers.answer(
                for: head.uri,
                agent: { head.headers.first(name: "user-agent") },
                languages: { head.headers["accept-language"].joined(separator: ",") },
                cookies: { head.headers["cookie"] },
            ),
            answer.body.readableBytes <= CachedResponse.piece
        else { return nil }
        if head.method == .GET { answer.whenGiven?(address(of: head, peer: client)) }
        let began = ContinuousClock.now
        let isFresh = answer.etag.map { etag in
            head.headers.contains(name: "if-none-match")
                && EntityTag.isListed(etag, in: head.headers[canonicalForm: "if-none-match"])
        }
        let form: CachedResponse.Form =
            if isFresh == true { .notModified } else if head.method == .HEAD { .head } else {
                .full
            }
        let bytes = rawWriter.write(answer, form, connection)
        shared.accessLog.enter(
            Exchange(
                head: head,
                status: form == .notModified ? 304 : answer.status,
                bytes: bytes,
                client: client,
                route: answer.route,
                began: began,
            )
        )
        return bytes + answer.capacity(.head)
    }

    private func address(of head: HTTPRequestHead, peer: String) -> String {
        ClientAddress.of(
            peer: peer,
            forwardedFor: head.headers["x-forwarded-for"].joined(separator: ","),
            proxies: shared.proxies,
        )
    }
}
