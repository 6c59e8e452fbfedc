import NIOCore
import NIOHTTP1

/// A small response, read completely.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]
    /// Whether the body exceeded the limit; ``body`` then has only its beginning.
    let isTooLarge: Bool

    /// The media type in lower case, without parameters.
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
    /// Sends a request and reads at most `limit` bytes of the response's body.
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
