import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes
import Store
import Uploads

/// A request's body on its way from the socket to the upload's file.
///
/// A window at a time is written and digested on a thread that may wait for the disk, while the
/// connection fills the next one; it is read no faster than that, so memory stays flat.
struct UploadBody: Sendable {
    /// Bytes of a window.
    static let window = 512 << 10

    let desk: UploadDesk
    let session: UploadSession
    let turn: UploadSession.Turn

    /// Receives up to the upload's size; what has come before a cut stays.
    ///
    /// - Returns: how many bytes the upload has then.
    @concurrent
    func receive(_ request: Request) async throws -> Int {
        var count = turn.offset
        var window: [ByteBuffer] = []
        var waiting = 0
        var failure: (any Error)?
        do {
            for try await buffer in request.body {
                guard count + waiting + buffer.readableBytes <= session.offer.size else {
                    throw UploadRefusal.wrongLength(
                        "more bytes came than the \(session.offer.size) that were offered"
                    )
                }
                window.append(buffer)
                waiting += buffer.readableBytes
                guard waiting >= Self.window else { continue }
                count = try await write(window)
                window.removeAll(keepingCapacity: true)
                waiting = 0
            }
        } catch let refusal as UploadRefusal {
            failure = refusal
        } catch let refusal as StoreFailure {
            failure = refusal
        } catch {
            // The connection's own end, in whatever words.
            failure = UploadRefusal.cut(at: count + waiting)
        }
        if !window.isEmpty, !(failure is StoreFailure) { count = try await write(window) }
        if let failure { throw failure }
        return count
    }

    private func write(_ window: [ByteBuffer]) async throws -> Int {
        try await desk.writing { [session, turn] in try session.append(window, turn) }
    }
}

extension Channel {
    /// Sends an interim response, for clients that wait for it before they send a body.
    func interim(_ response: HTTPResponse) async throws {
        try await writeAndFlush(HTTPResponsePart.head(response)).get()
    }
}
