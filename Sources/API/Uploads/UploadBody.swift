import HTTPServing
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Uploads

/// Transfers a request's body from the connection to the upload's file.
///
/// One window at a time is written and hashed on a thread that may block, while the connection fills the
/// next one. The connection is read no faster than that, so memory use is constant.
struct UploadBody: Sendable {
    let uploads: UploadService
    let session: UploadSession
    let lease: WriteLease

    /// Receives up to the upload's size; if the connection is interrupted, the bytes received so far are
    /// kept.
    ///
    /// - Returns: the resulting size of the upload in bytes.
    func receive(over channel: any Channel) async throws -> Int {
        let size = session.offer.size
        let body = try await channel.takeBody(
            at: lease.offset,
            atMost: size - lease.offset,
            on: uploads.writers,
        ) { [session, lease] window in
            try session.append(window, lease)
        }
        let count = lease.offset + body.count
        switch body.end {
        case .whole: return count
        case .cut: throw UploadRefusal.cut(at: count)
        case .tooLong:
            throw UploadRefusal.wrongLength("more bytes arrived than the \(size) announced")
        }
    }
}

extension Channel {
    /// Sends an interim response (1xx), for clients that wait for one before they send a body.
    func interim(_ response: HTTPResponse) async throws {
        try await writeAndFlush(HTTPResponsePart.head(response)).get()
    }
}
