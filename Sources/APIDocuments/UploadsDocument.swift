package import Foundation

/// An upload that is not finished.
package struct UploadEntry: Codable, Equatable, Sendable {
    /// 32 hexadecimal digits.
    package let upload: String
    /// `receiving`, `publishing` or `checked`.
    package let state: String
    /// Bytes that have come, and that will have come in the end.
    package let offset, size: Int
    /// As the activity names who publishes.
    package let publisher: String
    /// Nil where the uploader does not say it.
    package let app, version, build: String?
    package let channel: String
    package let created: Date
    /// When bytes came last.
    package let touched: Date

    package init(
        upload: String,
        state: String,
        offset: Int,
        size: Int,
        publisher: String,
        app: String?,
        version: String?,
        build: String?,
        channel: String,
        created: Date,
        touched: Date,
    ) {
        self.upload = upload
        self.state = state
        self.offset = offset
        self.size = size
        self.publisher = publisher
        self.app = app
        self.version = version
        self.build = build
        self.channel = channel
        self.created = created
        self.touched = touched
    }
}

/// The uploads that are not finished, the oldest first.
package struct UploadsDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let uploads: [UploadEntry]

    package init(uploads: [UploadEntry]) {
        self.uploads = uploads
    }
}
