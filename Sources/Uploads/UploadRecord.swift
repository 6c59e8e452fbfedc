package import Essentials

/// An upload as stored beside its bytes: `incoming/{identifier}.json`.
package struct UploadRecord: Codable, Equatable, Sendable {
    package enum State: String, Codable, Sendable {
        /// The server is waiting for bytes.
        case receiving
        /// All bytes have arrived; the build is being inspected and stored.
        case publishing
        /// The build was only checked; its bytes are kept until the uploader publishes or drops them.
        case checked
        /// There is a result.
        case finished
    }

    package var schema = 1
    package let identifier: UploadIdentifier
    /// The token that the upload belongs to, or the user: `Principal.uploader`.
    package let token: String
    /// The publisher's name in the activity.
    package let publisher: String
    package let offer: UploadOffer
    package let created: Date
    /// When bytes were last acknowledged, or the result was recorded.
    package var touched: Date
    package var state = State.receiving
    /// The number of bytes that are known to survive a power failure.
    package var lasting = 0
    /// The boot of the machine during which more than ``lasting`` bytes can be relied on: the page cache
    /// survives the server, but not the machine.
    package var boot: String
    package var answer: UploadAnswer?
    /// How often a publish began and did not end, because the server stopped.
    package var attempts: Int?
    /// Whether the uploader chose to publish the build after its check.
    package var isReleased: Bool?

    /// The number of attempts after which the build itself is presumed to crash the server, although
    /// another process survived it before each attempt but the first.
    package static let mostAttempts = 5

    package init(
        identifier: UploadIdentifier,
        token: String,
        publisher: String,
        offer: UploadOffer,
        created: Date,
        boot: String,
    ) {
        self.identifier = identifier
        self.token = token
        self.publisher = publisher
        self.offer = offer
        self.created = created
        self.boot = boot
        touched = created
    }

    /// Whether the build is inspected without being published.
    package var isCheck: Bool { offer.checkOnly && isReleased != true }

    /// The number of bytes on the disk that can be relied on.
    package func believable(_ count: Int, boot current: String) -> Int {
        min(boot == current && !boot.isEmpty ? count : min(lasting, count), offer.size)
    }

    /// Whether no client will ask for it any more.
    package func isStale(at date: Date, limits: UploadLimits) -> Bool {
        switch state {
        case .receiving, .checked: date.timeIntervalSince(touched) > limits.idleTime
        case .publishing: false
        case .finished: date.timeIntervalSince(touched) > limits.answerTime
        }
    }
}

/// The result of a publish, kept for a client that has lost the connection.
package struct UploadAnswer: Codable, Equatable, Sendable {
    /// The HTTP status.
    package let status: Int
    /// JSON: the output of `publish --json`, or the error.
    package let body: String

    package init(status: Int, body: String) {
        self.status = status
        self.body = body
    }
}
