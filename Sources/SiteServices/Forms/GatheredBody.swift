import HTTPTypes
package import Hummingbird
import NIOCore

/// A whole body in memory, of bounded size; it counts against the budget for as long as it lives.
///
/// The only place where a body is gathered: the route asks first whether it would do anything with it.
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
    ///   - request: whose body is read to its end.
    ///   - limit: bytes that the route takes.
    ///   - budget: what all bodies of the process share.
    ///   - sender: whether the client has proven who it is, and otherwise where it is.
    /// - Returns: the body.
    /// - Throws: ``Refusal/tooLarge(limit:)`` beyond `limit`, without reading on, and
    ///   ``Refusal/overloaded`` when the budget is used up.
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
                // Room is taken from the budget before it is taken from the system.
                let wanted = min(limit, max(count, 2 * room, 512))
                try share.take(wanted - room)
                room = wanted
                bytes.reserveCapacity(room)
            }
            bytes.append(contentsOf: buffer.readableBytesView)
        }
        return GatheredBody(bytes, share)
    }

    /// - Throws: ``Refusal/tooLarge(limit:)`` for a body that says that it is.
    package static func check(_ request: Request, atMost limit: Int) throws(Refusal) {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw .tooLarge(limit: limit)
        }
    }
}
