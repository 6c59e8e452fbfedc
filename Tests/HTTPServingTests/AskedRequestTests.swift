import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPServing

/// Heads that the cache answers are parsed in place, and must mean the same as to the decoder.
struct AskedRequestTests {
    @Test(
        arguments: [
            [], ["User-Agent: iPhone"], ["user-agent:  iPhone OS\t"],
            ["USER-AGENT: a", "User-Agent: b"],
            ["Cookie: a=1", "cookie: b=2"], ["Accept-Language: de, en;q=0.5"],
            ["If-None-Match: \"x\", W/\"y\""],
            ["X-Forwarded-For: 192.0.2.1", "X-Forwarded-For:10.0.0.1"], ["Connection: close"],
            ["Connection:\t close\t"],
            ["connection:Keep-Alive\t"], ["Accept: */*", "X-Empty:", "X-Accent: caf\u{E9}"],
            ["Cookie: \u{301}=caf\u{E9}"], ["X_User-Agent: no", "User_Agent: no", "Cookies: no"],
        ],
        ["GET", "HEAD"],
    )
    func `what memory reads of a head is what the decoder reads`(
        fields: [String],
        method: String,
    ) throws {
        for version in ["1.0", "1.1"] {
            for host in ["Host: ota.example.com:8443", "hOsT:\t[::1]  "] {
                let lines = ["\(method) /apps/a?b=%20 HTTP/\(version)", host] + fields
                let bytes = ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n")
                let read = try #require(AskedRequest(head: bytes))
                let decoded = try decoded(bytes)
                let wanted = try #require(AskedRequest(decoded, isLast: decoded.endsConnection))
                #expect(Facts(read) == Facts(wanted))
            }
        }
    }

    @Test(
        arguments: [
            "POST / HTTP/1.1\r\nHost: a\r\n\r\n", "GETS / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.2\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close, upgrade\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nConnection: keep-alive\r\n\r\n",
            "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\nG",
        ]
    )
    func `other requests are left to the decoder`(head: String) {
        #expect(AskedRequest(head: ByteBuffer(string: head)) == nil)
    }

    @Test func `a head that is not whole is left to the decoder, wherever it ends`() {
        let head = "HEAD /a HTTP/1.1\r\nHost: a\r\nCookie: b\r\n\r\n"
        for count in 0..<head.utf8.count {
            #expect(AskedRequest(head: ByteBuffer(bytes: head.utf8.prefix(count))) == nil)
        }
        #expect(AskedRequest(head: ByteBuffer(string: head)) != nil)
    }

    private func decoded(_ bytes: ByteBuffer) throws -> HTTPRequestHead {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withErrorHandling: false,
        )
        try channel.writeInbound(bytes)
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        guard case .head(let head) = try channel.readInbound(as: HTTPServerRequestPart.self) else {
            throw ChannelError.eof
        }
        return head
    }
}

private struct Facts: Equatable {
    let flags: [Bool]
    let target: String
    let single: [String?]
    let many: [[String]]

    init(_ request: AskedRequest) {
        flags = [request.isHead, request.isVersionOnePointZero, request.isLast]
        target = request.target
        // The decoder keeps whitespace after a value, which RFC 9110, section 5.5, requires to be excluded.
        single = [request.host, request.agent].map { $0.map { String($0.trimmed) } }
        many = [request.languages, request.cookies, request.entityTags, request.forwardedFor]
            .map { $0.map { String($0.trimmed) } }
    }
}
