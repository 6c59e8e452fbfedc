/// Requests that parsers could read differently, or that are invalid: each must be refused and its connection
/// closed.
struct RawRequest: Sendable, CustomStringConvertible {
    let name: String
    let text: String
    /// The statuses that RFC 9110 and RFC 9112 allow for it.
    let statuses: Set<Int>

    init(_ name: String, _ text: String, _ statuses: Set<Int> = [400]) {
        self.name = name
        self.text = text
        self.statuses = statuses
    }

    var description: String { name }

    private static let host = "Host: localhost\r\n"
    private static let smuggled = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

    static let all: [RawRequest] = lengths + encodings + fields + requestLines + hosts + lines

    private static let lengths = [
        post("two different lengths", "Content-Length: 0\r\nContent-Length: 44\r\n"),
        post("two equal lengths", "Content-Length: 5\r\nContent-Length: 5\r\n"),
        post("a list of lengths", "Content-Length: 5, 5\r\n"),
        post("a list of different lengths", "Content-Length: 0, 44\r\n"),
        post("a plus sign", "Content-Length: +5\r\n"),
        post("a minus sign", "Content-Length: -5\r\n"),
        post("a hexadecimal length", "Content-Length: 0x5\r\n"),
        post("a length with an underscore", "Content-Length: 1_0\r\n"),
        post("a length with a space inside", "Content-Length: 1 0\r\n"),
        post("a decimal point", "Content-Length: 5.0\r\n"),
        post("an empty length", "Content-Length: \r\n"),
        post("a length of letters", "Content-Length: five\r\n"),
        post("a length beyond 64 bits", "Content-Length: 18446744073709551621\r\n"),
        post("a length in full-width digits", "Content-Length: \u{FF15}\r\n"),
    ]

    private static let encodings = [
        post("length and encoding", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"),
        post("encoding and length", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"),
        post("an unknown encoding", "Transfer-Encoding: gzip\r\n", [400, 501]),
        post("chunked not last", "Transfer-Encoding: chunked, identity\r\n"),
        post("gzip and chunked", "Transfer-Encoding: gzip, chunked\r\n", [400, 501]),
        post("identity", "Transfer-Encoding: identity\r\n", [400, 501]),
        post("chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
        post(
            "chunked and identity",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        ),
        post("xchunked", "Transfer-Encoding: xchunked\r\n", [400, 501]),
        post("quoted chunked", "Transfer-Encoding: \"chunked\"\r\n", [400, 501]),
        post("a vertical tab before chunked", "Transfer-Encoding: \u{0B}chunked\r\n"),
        post("an empty encoding", "Transfer-Encoding: \r\n"),
        post("a space before the colon", "Transfer-Encoding : chunked\r\n"),
        post("a tab before the colon", "Content-Length\t: 5\r\n"),
        RawRequest(
            "chunked in HTTP/1.0",
            "POST / HTTP/1.0\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ),
        chunked("a chunk size of letters", "xyz\r\nhello\r\n0\r\n\r\n"),
        chunked("a negative chunk", "-1\r\nhello\r\n0\r\n\r\n"),
        chunked("0x before a chunk size", "0x5\r\nhello\r\n0\r\n\r\n"),
        chunked("an endless chunk size", "fffffffffffffffff\r\nhello\r\n0\r\n\r\n"),
        chunked("a chunk longer than it says", "3\r\nhello\r\n0\r\n\r\n"),
        chunked("a bare line feed behind a chunk size", "5\nhello\r\n0\r\n\r\n"),
        chunked("a space before a chunk size", " 5\r\nhello\r\n0\r\n\r\n"),
    ]

    private static let fields = [
        get("a folded field", "X-Long: one\r\n two\r\n"),
        get("a folded length", "Content-Length:\r\n 5\r\n"),
        get("a space before the first field", " X: y\r\n"),
        get("a field without a colon", "Nonsense\r\n"),
        get("an empty name", ": value\r\n"),
        get("a space in a name", "X Y: value\r\n"),
        get("a NUL in a name", "X\u{0}Y: value\r\n"),
        get("a NUL in a value", "X: a\u{0}b\r\n"),
        get("a bell in a value", "X: a\u{7}b\r\n"),
        get("a DEL in a value", "X: a\u{7F}b\r\n"),
        get("a bracket in a name", "X(y): value\r\n"),
        get("a slash in a name", "X/y: value\r\n"),
        get("a letter beyond ASCII in a name", "X\u{E9}: value\r\n"),
    ]

    private static let requestLines = [
        RawRequest("no version", "GET /\r\n\r\n"),
        RawRequest("two spaces", "GET  / HTTP/1.1\r\n\(host)\r\n"),
        RawRequest("a tab", "GET\t/ HTTP/1.1\r\n\(host)\r\n"),
        RawRequest("a space at the end", "GET / HTTP/1.1 \r\n\(host)\r\n"),
        RawRequest("a lower-case method", "get / HTTP/1.1\r\n\(host)\r\n"),
        RawRequest("a space in the address", "GET /a b HTTP/1.1\r\n\(host)\r\n"),
        RawRequest("a NUL in the address", "GET /a\u{0}b HTTP/1.1\r\n\(host)\r\n"),
        RawRequest("a fragment in the address", "GET /a#b HTTP/1.1\r\n\(host)\r\n"),
        RawRequest("an address beyond ASCII", "GET /\u{E9} HTTP/1.1\r\n\(host)\r\n"),
        RawRequest("a relative address", "GET apps HTTP/1.1\r\n\(host)\r\n"),
        RawRequest("a lower-case version", "GET / http/1.1\r\n\(host)\r\n"),
        RawRequest("a version of letters", "GET / HTTP/one\r\n\(host)\r\n"),
        RawRequest("version 2", "GET / HTTP/2.0\r\n\(host)\r\n", [505]),
        RawRequest("version 1.2", "GET / HTTP/1.2\r\n\(host)\r\n", [400, 505]),
        RawRequest("version 0.9", "GET / HTTP/0.9\r\n\(host)\r\n", [400, 505]),
        RawRequest("a method nobody knows", "BREW / HTTP/1.1\r\n\(host)\r\n", [400, 501]),
        RawRequest("CONNECT", "CONNECT localhost:443 HTTP/1.1\r\n\(host)\r\n", [400, 405, 501]),
        RawRequest("TRACE", "TRACE / HTTP/1.1\r\n\(host)\r\n", [405, 501]),
        RawRequest("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400, 505]),
        RawRequest("a TLS hello", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", [400]),
    ]

    private static let hosts = [
        RawRequest("no Host", "GET / HTTP/1.1\r\n\r\n"),
        RawRequest("two Hosts", "GET / HTTP/1.1\r\n\(host)Host: evil.example\r\n\r\n"),
        RawRequest("an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
        RawRequest("another Host", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", [421]),
        RawRequest(
            "a Host with a user",
            "GET / HTTP/1.1\r\nHost: a@localhost\r\n\r\n",
            [400, 421],
        ),
        RawRequest(
            "another host in the address",
            "GET http://evil.example/ HTTP/1.1\r\n\(host)\r\n",
            [421],
        ),
    ]

    private static let lines = [
        RawRequest("bare line feeds", "GET / HTTP/1.1\nHost: localhost\n\n"),
        RawRequest("a bare line feed behind a field", "GET / HTTP/1.1\r\nHost: localhost\n\r\n"),
        RawRequest("a bare carriage return", "GET / HTTP/1.1\r\nX: a\rb\r\n\(host)\r\n"),
        RawRequest("carriage return twice", "GET / HTTP/1.1\r\r\n\(host)\r\n"),
        RawRequest("two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n"),
    ]

    private static func get(_ name: String, _ fields: String) -> RawRequest {
        RawRequest(name, "GET / HTTP/1.1\r\n\(fields)\(host)\r\n")
    }

    private static func post(
        _ name: String,
        _ fields: String,
        _ statuses: Set<Int> = [400],
    ) -> RawRequest {
        RawRequest(
            name,
            "POST /apps/demo-co HTTP/1.1\r\n\(host)\(fields)\r\n5\r\nhello\r\n0\r\n\r\n" + smuggled,
            statuses,
        )
    }

    /// The head is valid and its route has responded; what follows must not become a request.
    private static func chunked(_ name: String, _ body: String) -> RawRequest {
        RawRequest(
            name,
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n\(body)" + smuggled,
            [400, 405],
        )
    }
}
