/// How the log writes what clients sent, without what it must not give away.
package struct LogRedaction: Sendable {
    let target: @Sendable (String) -> String
    let agent: @Sendable (String) -> String
    let text: @Sendable (String) -> String

    /// - Parameters:
    ///   - target: what is written of a request's target.
    ///   - agent: what is written of its `User-Agent`.
    ///   - text: what is written of a value beside a message.
    package init(
        target: @escaping @Sendable (String) -> String,
        agent: @escaping @Sendable (String) -> String,
        text: @escaping @Sendable (String) -> String,
    ) {
        self.target = target
        self.agent = agent
        self.text = text
    }
}
