package import Access
package import Uploads

/// What a page may do with an upload that was only checked.
package struct CheckedBuilds: Sendable {
    /// Queues it for publishing, or removes it with its bytes; both block, and refuse what is not the visitor's.
    package typealias Choice = @Sendable (UploadIdentifier, Principal) throws -> Void

    /// Those that are the visitor's own, the latest first.
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
