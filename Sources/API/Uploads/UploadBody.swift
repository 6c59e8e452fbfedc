import HTTPServing
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Uploads

/// A request's body on its way from the socket to the upload's file.
///
/// A window at a time is written and digested on a thread that may wait for the disk, while the
/// connection fills the next one; it is read no faster than that, so memory stays flat.
struct UploadBody: Sendable {
    let uploads: UploadService
    let session: UploadSession
    let lease: WriteLease

    /// Receives up to the upload's size; what has come before a cut stays.
    ///
    /// - Returns: how many bytes the upload has then.
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
    /// Sends an interim response, for clients that wait for it before they send a body.
    func interim(_ response: HTTPResponse) async throws {
        try await writeAndFlush(HTTPResponsePart.head(response)).get()
    }
}
