/// How text from clients is written to the log, without secrets.
package struct LogRedaction: Sendable {
    let target: @Sendable (String) -> String
    let agent: @Sendable (String) -> String
    let text: @Sendable (String) -> String

    /// - Parameters:
    ///   - target: returns the loggable form of a request's target.
    ///   - agent: returns the loggable form of a `User-Agent`.
    ///   - text: returns the loggable form of a metadata value.
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
