package import Foundation

/// An unfinished upload.
package struct UploadEntry: Codable, Equatable, Sendable {
    /// 32 hexadecimal digits.
    package let upload: String
    /// `receiving`, `publishing` or `checked`.
    package let state: String
    /// The number of bytes received, and the total size in bytes.
    package let offset, size: Int
    /// The name of the publisher in the activity.
    package let publisher: String
    /// Nil if the uploader has not sent them.
    package let app, version, build: String?
    package let channel: String
    package let created: Date
    /// When bytes last arrived.
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

/// The unfinished uploads, oldest first.
package struct UploadsDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let uploads: [UploadEntry]

    package init(uploads: [UploadEntry]) {
        self.uploads = uploads
    }
}
