package import Releases
package import Store

extension OTAStore {
    package func webhooks() throws(StoreFailure) -> WebhookRegister {
        try value(WebhookRegister.self, DocumentName("webhooks.json")) ?? WebhookRegister()
    }

    /// Changes the register of webhooks.
    ///
    /// - Throws: what `change` throws, and ``StoreFailure``.
    @discardableResult
    package func changeWebhooks(
        _ change: (inout WebhookRegister) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> WebhookRegister {
        let name = try DocumentName("webhooks.json")
        return try self.change(name, else: WebhookRegister(), change, recording: recording).value
    }

    /// The notices that were sent, and the queue.
    package func notices() throws(StoreFailure) -> NoticeLedger {
        try value(NoticeLedger.self, DocumentName("notices.json")) ?? NoticeLedger()
    }

    @discardableResult
    func changeNotices(
        _ change: (inout NoticeLedger) throws -> Void
    ) throws -> NoticeLedger {
        try self.change(DocumentName("notices.json"), else: NoticeLedger(), change).value
    }

    /// Drops queued notices about feedback that was deleted.
    ///
    /// - Parameter identifier: the feedback's identifier.
    /// - Throws: `StoreFailure`.
    package func forgetNotices(ofFeedback identifier: String) throws {
        guard try notices().outbox.waiting.contains(where: { $0.notice.feedback?.id == identifier })
        else { return }
        try changeNotices { $0.outbox.drop(feedback: identifier) }
        try backend.forgetPrevious(of: DocumentName("notices.json"))
    }

    /// Returns the documents of webhooks and notices that cannot be read.
    package func noticeProblems() -> [StoreProblem] {
        [
            problem { () throws(StoreFailure) in _ = try webhooks() },
            problem { () throws(StoreFailure) in _ = try notices() },
        ].compactMap(\.self)
    }
}
