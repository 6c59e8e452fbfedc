import NIOHTTP1

/// One request and its outcome, for the log and the metrics.
struct Exchange: Sendable {
    let method: String
    let target: String
    let status: Int
    /// Bytes of the response's body that were passed to the connection.
    let bytes: Int
    let client: String
    let agent: String
    /// The pattern of the route; never text from the client.
    let route: String
    let duration: Duration
    /// The reason why it was refused or cut off; nil if it completed.
    let note: String?

    init(
        method: String,
        target: String,
        status: Int,
        bytes: Int,
        client: String,
        agent: String,
        route: String,
        duration: Duration,
        note: String? = nil,
    ) {
        self.method = method
        self.target = target
        self.status = status
        self.bytes = bytes
        self.client = client
        self.agent = agent
        self.route = route
        self.duration = duration
        self.note = note
    }

    init(refused reason: RefusedRequest, status: Int, bytes: Int, client: String) {
        self.init(
            method: "-",
            target: "-",
            status: status,
            bytes: bytes,
            client: client,
            agent: "",
            route: "refused",
            duration: .zero,
            note: reason.description,
        )
    }
}
