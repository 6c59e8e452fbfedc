import NIOHTTP1

extension AskedRequest {
    /// Creates the request from a decoded head; nil for methods other than GET and HEAD.
    ///
    /// - Parameters:
    ///   - head: the head of a request without a body.
    ///   - isLast: whether the connection closes after the response.
    init?(_ head: HTTPRequestHead, isLast: Bool) {
        guard head.method == .GET || head.method == .HEAD else { return nil }
        self.init()
        isHead = head.method == .HEAD
        isVersionOnePointZero = head.version == .http1_0
        self.isLast = isLast
        target = head.uri
        host = head.headers.first(name: "host")
        agent = head.headers.first(name: "user-agent")
        languages = head.headers["accept-language"]
        cookies = head.headers["cookie"]
        entityTags = head.headers["if-none-match"]
        forwardedFor = head.headers["x-forwarded-for"]
    }
}
