import HTTPServing
import NIOCore
import NIOEmbedded
import NIOHTTP1

/// `head`: what the scanner accepts has a single meaning, which NIO's parser finds too, or refuses.
///
/// The input is a byte that says where the connection's bytes are split, and those bytes.
struct RequestHeads: PlainInputKind {
    static let name = "head"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let cases = [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "\r\nPOST /a?b=%20 HTTP/1.1\r\nhost: a:1\r\nContent-Length:  3 \r\n\r\nabcGET / HTTP/1.0\r\n\r\n",
            "PUT /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
            "HEAD http://a/b HTTP/1.1\r\nHost:a\r\nConnection: close, upgrade\r\nUpgrade: x\r\n\r\n",
            "DELETE /\u{E9} HTTP/1.1\r\nHost: a\r\nX-A:\u{E9}\t\r\n\r\n",
            "GET /a HTTP/1.0\r\nHost: a\r\nConnection: Keep-Alive\r\nCookie: a=1\r\nUser-Agent: b\r\n\r\n",
            "HEAD / HTTP/1.1\r\nHost: a\r\nIf-None-Match: W/\"x\"\r\nAccept-Language: de\r\n"
                + "X-Forwarded-For: ::1\r\nConnection: close\r\n\r\n",
            "CONNECT a:1 HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\nGET",
        ]
        return Dictionary(
            uniqueKeysWithValues: cases.enumerated().map { ("\($0)", [128] + Array($1.utf8)) }
        )
    }

    func check(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let bytes = Array(input.dropFirst())
        let cut = Int(first) * bytes.count >> 8
        var scanner = RequestHeadScanner(limits: ServerLimits())
        let whole = Self.refusal { () throws(RefusedRequest) in try scanner.scan(bytes.span) }
        var parted = RequestHeadScanner(limits: ServerLimits())
        let other = Self.refusal { () throws(RefusedRequest) in
            try parted.scan(bytes.span.extracting(..<cut))
            try parted.scan(bytes.span.extracting(cut...))
        }
        promise(whole == other, "a head is judged otherwise when it comes in two pieces")
        guard whole == nil else { return }
        promise(scanner.isInsideHead == parted.isInsideHead, "a head ends elsewhere in two pieces")
        let plain = PlainRequests(bytes)
        promise(plain.isInsideHead == scanner.isInsideHead, "a head ends elsewhere")
        let decoded = DecodedRequests(bytes, cut: cut)
        check(plain, decoded)
        checkInPlace(bytes, decoded)
    }

    /// A head that the cache answers without the decoder means the same to the decoder.
    private func checkInPlace(_ bytes: [UInt8], _ decoded: DecodedRequests) {
        var scanner = RequestHeadScanner(limits: ServerLimits())
        guard let count = try? scanner.scanRequest(bytes.span), scanner.isBetweenRequests,
            let read = AskedRequest(head: ByteBuffer(bytes: bytes.prefix(count))),
            let wanted = decoded.requests.first
        else { return }
        promise(wanted.method == (read.isHead ? "HEAD" : "GET"), "another method in place")
        promise(wanted.target == read.target, "another address in place")
        promise(wanted.isHTTP11 != read.isVersionOnePointZero, "another version in place")
        promise(wanted.isLast == read.isLast, "another end of the connection in place")
        promise(wanted.values("host").first == read.host, "another host in place")
        promise(wanted.values("user-agent").first == read.agent, "another agent in place")
        promise(wanted.values("cookie") == read.cookies, "other cookies in place")
        promise(wanted.values("accept-language") == read.languages, "other languages in place")
        promise(wanted.values("if-none-match") == read.entityTags, "other entity tags in place")
        promise(wanted.values("x-forwarded-for") == read.forwardedFor, "another sender in place")
    }

    private static func refusal(
        _ scan: () throws(RefusedRequest) -> Void
    ) -> RefusedRequest? {
        do throws(RefusedRequest) {
            try scan()
            return nil
        } catch {
            return error
        }
    }

    /// Checks that each request that NIO has parsed is the one in the bytes.
    private func check(_ plain: PlainRequests, _ decoded: DecodedRequests) {
        for (index, request) in decoded.requests.enumerated() {
            guard index < plain.requests.count else { stop("NIO reads a request too many") }
            let wanted = plain.requests[index]
            promise(request.method == wanted.method, "NIO reads another method")
            promise(request.target == wanted.target, "NIO reads another address")
            promise(request.isHTTP11 == wanted.isHTTP11, "NIO reads another version")
            promise(request.fields == wanted.fields, "NIO reads other fields")
            // Nothing after these is parsed as a request.
            if wanted.isChunked || request.isLast { return }
            let isCut = decoded.isRefused && index == decoded.requests.count - 1
            promise(
                request.body == wanted.body || isCut,
                "NIO reads \(request.body) bytes of a body and \(wanted.body) are there",
            )
            promise(
                request.hasEnded == wanted.hasEnded || isCut,
                "NIO sees the end of a body elsewhere",
            )
        }
        let isWhole = decoded.isRefused || decoded.requests.count == plain.requests.count
        promise(isWhole, "NIO reads a request too few")
    }
}

/// Requests parsed by the grammar of RFC 9112, from bytes that are known to follow it.
private struct PlainRequests {
    struct Request {
        var method = ""
        var target = ""
        var isHTTP11 = false
        var fields: [[String]] = []
        var isChunked = false
        var body = 0
        var hasEnded = true
    }

    private(set) var requests: [Request] = []
    private(set) var isInsideHead = false

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while true {
            if rest.starts(with: [13, 10]) { rest = rest.dropFirst(2) }
            guard !rest.isEmpty else { return }
            guard let end = Self.end(of: rest) else {
                isInsideHead = true
                return
            }
            var request = Request()
            let lines = rest[..<end].split(separator: 10, omittingEmptySubsequences: true)
                .map { $0.last == 13 ? $0.dropLast() : $0 }
            rest = rest[end...].dropFirst(4)
            let words = lines[0].split(separator: 32, omittingEmptySubsequences: false)
            promise(words.count == 3, "a request line has \(words.count) words")
            request.method = String(decoding: words[0], as: UTF8.self)
            request.target = String(decoding: words[1], as: UTF8.self)
            request.isHTTP11 = words[2].elementsEqual("HTTP/1.1".utf8)
            for line in lines.dropFirst() { request.add(line) }
            if let length = request.length {
                request.body = min(length, rest.count)
                request.hasEnded = length <= rest.count
                rest = rest.dropFirst(request.body)
            }
            requests.append(request)
            if request.isChunked || !request.hasEnded { return }
        }
    }

    private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
        var start = bytes.startIndex
        while let found = bytes[start...].firstIndex(of: 13) {
            if bytes[found...].starts(with: [13, 10, 13, 10]) { return found }
            start = found + 1
        }
        return nil
    }
}

extension PlainRequests.Request {
    fileprivate mutating func add(_ line: ArraySlice<UInt8>) {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line[name.endIndex...].dropFirst()
        while let byte = value.first, byte == 32 || byte == 9 { value.removeFirst() }
        while let byte = value.last, byte == 32 || byte == 9 { value.removeLast() }
        let field = String(decoding: name, as: UTF8.self)
        if field.lowercased() == "transfer-encoding" { isChunked = true }
        fields.append([field, String(decoding: value, as: UTF8.self)])
    }

    fileprivate var length: Int? {
        fields.first { $0[0].lowercased() == "content-length" }.flatMap { Int($0[1]) }
    }
}

/// Requests parsed by NIO, configured as in the server.
private struct DecodedRequests {
    struct Request {
        let method: String
        let target: String
        let isHTTP11: Bool
        let fields: [[String]]
        /// Whether the connection ends after it.
        let isLast: Bool
        var body = 0
        var hasEnded = false

        func values(_ name: String) -> [String] {
            fields.filter { $0[0].lowercased() == name }.map { $0[1] }
        }
    }

    private(set) var requests: [Request] = []
    private(set) var isRefused = false

    init(_ bytes: [UInt8], cut: Int) {
        let channel = EmbeddedChannel()
        do {
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                withPipeliningAssistance: false,
                withErrorHandling: false,
                withOutboundHeaderValidation: false,
            )
        } catch {
            stop("NIO cannot be set up: \(error)")
        }
        do {
            for part in [bytes[..<cut], bytes[cut...]] where !part.isEmpty {
                try channel.writeInbound(ByteBuffer(bytes: part))
            }
        } catch {
            isRefused = true
        }
        while let part = try? channel.readInbound(as: HTTPServerRequestPart.self) { add(part) }
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    private mutating func add(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head):
            requests.append(
                Request(
                    method: head.method.rawValue,
                    target: head.uri,
                    isHTTP11: head.version == .http1_1,
                    fields: head.headers.map { [$0.name, String($0.value.trimmed)] },
                    isLast: head.endsConnection || head.method == .CONNECT,
                )
            )
        case .body(let bytes): requests[requests.count - 1].body += bytes.readableBytes
        case .end: requests[requests.count - 1].hasEnded = true
        }
    }
}

extension String {
    fileprivate var trimmed: Substring {
        var text = self[...].utf8
        while let byte = text.first, byte == 32 || byte == 9 { text.removeFirst() }
        while let byte = text.last, byte == 32 || byte == 9 { text.removeLast() }
        return Substring(text)
    }
}
