package import Access
package import Uploads

/// The actions that a page offers for an upload that was only checked.
package struct CheckedBuilds: Sendable {
    /// Queues the upload for publishing, or removes it with its bytes.
    ///
    /// Both block, and throw for an upload that is not the visitor's.
    package typealias Choice = @Sendable (UploadIdentifier, Principal) throws -> Void

    /// Returns the visitor's own uploads, newest first.
    let list: @Sendable (Principal) -> [UploadRecord]
    let publish: Choice
    let drop: Choice

    package init(
        list: @escaping @Sendable (Principal) -> [UploadRecord],
        publish: @escaping Choice,
        drop: @escaping Choice,
    ) {
        self.list = list
        self.publish = publish
        self.drop = drop
    }
}
