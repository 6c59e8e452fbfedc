import HTTPTypes
package import Hummingbird
import NIOCore

/// A whole body of bounded size in memory; it counts against the budget while this object exists.
///
/// This is the only place where a body is gathered, so routes check first whether they would accept it.
package final class GatheredBody: Sendable {
    package let bytes: [UInt8]
    private let share: BodyShare

    private init(_ bytes: [UInt8], _ share: BodyShare) {
        self.bytes = bytes
        self.share = share
    }

    /// Reads a request's body.
    ///
    /// - Parameters:
    ///   - request: the request, whose body is read to its end.
    ///   - limit: the most bytes that the route accepts.
    ///   - budget: the budget that all bodies of the process share.
    ///   - sender: whether the client is authenticated, and if not, its network.
    /// - Returns: the body.
    /// - Throws: ``Refusal/tooLarge(limit:)`` beyond `limit`, without reading the rest, and
    ///   ``Refusal/overloaded`` if the budget is used up.
    package static func gather(
        _ request: Request,
        atMost limit: Int,
        from budget: BodyBudget,
        of sender: BodyBudget.Sender,
    ) async throws -> GatheredBody {
        try check(request, atMost: limit)
        let share = budget.share(for: sender)
        var bytes: [UInt8] = []
        var room = 0
        for try await buffer in request.body {
            let count = bytes.count + buffer.readableBytes
            guard count <= limit else { throw Refusal.tooLarge(limit: limit) }
            if count > room {
                // Memory is reserved in the budget before it is allocated.
                let wanted = min(limit, max(count, 2 * room, 512))
                try share.take(wanted - room)
                room = wanted
                bytes.reserveCapacity(room)
            }
            bytes.append(contentsOf: buffer.readableBytesView)
        }
        return GatheredBody(bytes, share)
    }

    /// - Throws: ``Refusal/tooLarge(limit:)`` if `Content-Length` exceeds `limit`.
    package static func check(_ request: Request, atMost limit: Int) throws(Refusal) {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw .tooLarge(limit: limit)
        }
    }
}
