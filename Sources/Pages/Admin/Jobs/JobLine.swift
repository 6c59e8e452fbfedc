/// One job in a list, as texts.
package struct JobLine: Sendable {
    let title: String
    let url: String
    let state: String
    /// `good`, `warn`, `bad`, `accent` or `quiet`.
    let tone: String
    let asked: String
    let reason: String?
    let fix: String?
    let next: String?
    /// Whether it waits or runs.
    let isOpen: Bool

    /// - Parameters:
    ///   - title: the job's title, such as `Sign Browsey 2.4.0 (318) again`.
    ///   - url: the path of its page.
    ///   - state: such as `waiting`, or `running, 40 %`.
    ///   - tone: `good`, `warn`, `bad`, `accent` or `quiet`.
    ///   - asked: when it was requested, and by whom.
    ///   - reason: why it waits, failed or had nothing to do; nil for none.
    ///   - fix: what to do about that, a sentence.
    ///   - next: when it is tried next, if that is later.
    ///   - isOpen: whether it waits or runs.
    package init(
        title: String,
        url: String,
        state: String,
        tone: String,
        asked: String,
        reason: String?,
        fix: String?,
        next: String?,
        isOpen: Bool,
    ) {
        self.title = title
        self.url = url
        self.state = state
        self.tone = tone
        self.asked = asked
        self.reason = reason
        self.fix = fix
        self.next = next
        self.isOpen = isOpen
    }
}
