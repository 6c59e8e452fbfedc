package import Essentials

/// An upload as the store keeps it beside its bytes: `incoming/{identifier}.json`.
package struct UploadRecord: Codable, Equatable, Sendable {
    package enum State: String, Codable, Sendable {
        /// Bytes are awaited.
        case receiving
        /// All bytes are there; the build is examined and stored.
        case publishing
        /// The build was only checked; its bytes wait for a choice between publishing and dropping them.
        case checked
        /// There is an answer.
        case finished
    }

    package var schema = 1
    package let identifier: UploadIdentifier
    /// The token that it belongs to, or the person: `Principal.uploader`.
    package let token: String
    /// As the activity names who publishes.
    package let publisher: String
    package let offer: UploadOffer
    package let created: Date
    /// When bytes were last acknowledged, or the answer was found.
    package var touched: Date
    package var state = State.receiving
    /// How many bytes are known to outlast a power cut.
    package var lasting = 0
    /// The start of the machine under which more than ``lasting`` may be believed: the page cache
    /// outlives the server, and not the machine.
    package var boot: String
    package var answer: UploadAnswer?
    /// How often a publish began and did not end, because the server stopped.
    package var attempts: Int?
    /// Whether the uploader chose to publish the build after its check.
    package var isReleased: Bool?

    /// Attempts after which the build itself is taken for the cause, although another process has
    /// survived it before each but the first.
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

    /// Whether the build is examined without being published.
    package var isCheck: Bool { offer.checkOnly && isReleased != true }

    /// How many of the bytes that are on the disk may be believed.
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

/// The result of a publish, kept for a client that lost the connection meanwhile.
package struct UploadAnswer: Codable, Equatable, Sendable {
    /// Of HTTP.
    package let status: Int
    /// JSON: what `publish --json` prints, or the error.
    package let body: String

    package init(status: Int, body: String) {
        self.status = status
        self.body = body
    }
}
