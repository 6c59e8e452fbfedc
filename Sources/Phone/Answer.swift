import NIOCore
import NIOHTTP1

/// A small answer, read whole.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]
    /// Whether the body was longer than allowed; what came before is in ``body``.
    let isTooLarge: Bool

    /// Without parameters, in lower case.
    var type: String? { headers.mediaType }

    var isRedirect: Bool { (300..<400).contains(status) && headers.contains(name: "Location") }
}

extension HTTPHeaders {
    var mediaType: String? {
        first(name: "Content-Type")?.split(separator: ";").first.map {
            $0.trimmingSpaces.lowercased()
        }
    }

    var contentLength: Int? { first(name: "Content-Length").flatMap { Int($0) } }
}

extension Substring {
    var trimmingSpaces: Substring {
        let spaces: Set<Character> = [" ", "\t"]
        let front = drop { spaces.contains($0) }
        guard let last = front.lastIndex(where: { !spaces.contains($0) }) else { return front }
        return front[...last]
    }
}

extension Network {
    /// Reads an answer of at most `limit` bytes.
    func fetch(_ request: Request, limit: Int) async throws(NetworkFailure) -> Answer {
        var head = HTTPResponseHead(version: .http1_1, status: .ok)
        var body: [UInt8] = []
        var isTooLarge = false
        try await exchange(
            request,
            head: {
                head = $0
                return .more
            },
            body: { bytes in
                let room = limit - body.count
                body += bytes.readableBytesView.prefix(room)
                isTooLarge = bytes.readableBytes > room
                return isTooLarge ? .enough : .more
            },
        )
        return Answer(
            status: Int(head.status.code),
            headers: head.headers,
            body: body,
            isTooLarge: isTooLarge,
        )
    }
}
