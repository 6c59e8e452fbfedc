/// The state of an upload, as `GET` reports it.
package struct UploadStatus: Codable, Equatable, Sendable {
    package var schema = 1
    package let upload: UploadIdentifier
    package let state: UploadRecord.State
    /// The number of bytes that have arrived.
    package let offset: Int
    package let size: Int
    /// While it is being published: `queued`, `checking` or `storing`, and the fraction done, from 0 to 1.
    package let phase: String?
    package let fraction: Double?
    /// Once it is finished or checked: the HTTP status of the result.
    package let status: Int?
    /// True if the build is only to be checked.
    package let checkOnly: Bool?

    package init(
        upload: UploadIdentifier,
        state: UploadRecord.State,
        offset: Int,
        size: Int,
        phase: String? = nil,
        fraction: Double? = nil,
        status: Int? = nil,
        checkOnly: Bool? = nil,
    ) {
        self.upload = upload
        self.state = state
        self.offset = offset
        self.size = size
        self.phase = phase
        self.fraction = fraction
        self.status = status
        self.checkOnly = checkOnly
    }
}
