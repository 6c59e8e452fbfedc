import NIOCore
import Pages
import Synchronization

/// Responses that the event loops give without asking anybody: pages, manifests, icons, assets.
///
/// Everything in here is the same for whoever knows its address and brings no cookie of ours; who
/// brings one is answered anew. An answer made from the store is given for a moment only, so that
/// what another process publishes shows within a second.
final class ResponseCache: Sendable {
    /// Bounds what strangers can make it hold by asking for many addresses.
    private static let mostAnswers = 4096
    private static let mostBytes = 64 << 20

    private struct Key: Hashable {
        let target: String
        /// What of the client the answer depends on; nil when it is the same for all.
        let visitor: Visitor?
    }

    private struct Kept {
        let answer: CachedResponse
        let until: NIODeadline
    }

    private struct State {
        var lasting: [String: CachedResponse] = [:]
        var kept: [Key: Kept] = [:]
        var bytes = 0
        /// Reading a `User-Agent` costs more than finding it again.
        var visitors: [String: Visitor] = [:]
    }

    private let state = Mutex(State())

    /// Looks for the path and query as they were sent; the `User-Agent`, and whether cookies of ours
    /// came along, are asked for only when an answer may depend on them.
    func answer(
        for target: String,
        agent: () -> String?,
        isKnown: () -> Bool,
    ) -> CachedResponse? {
        state.withLock { state in
            if let answer = state.lasting[target] { return answer }
            // The installer carries no cookies: what its paths give, they give to everybody.
            if !target.hasPrefix("/install/"), isKnown() { return nil }
            let now = NIODeadline.now()
            if let kept = state.kept[Key(target: target, visitor: nil)], kept.until > now {
                return kept.answer
            }
            guard target.hasPrefix("/apps/") else { return nil }
            let visitor = Self.visitor(agent() ?? "", &state)
            guard let kept = state.kept[Key(target: target, visitor: visitor)], kept.until > now
            else { return nil }
            return kept.answer
        }
    }

    /// Keeps an answer that does not depend on the store.
    func keepForGood(_ answer: CachedResponse, for target: String) {
        state.withLock { $0.lasting[target] = answer }
    }

    /// Keeps an answer for a while; `visitor` is nil when it is the same for all.
    func keep(
        _ answer: CachedResponse,
        for target: String,
        visitor: Visitor? = nil,
        lasting time: TimeAmount,
    ) {
        state.withLock { state in
            if state.kept.count >= Self.mostAnswers || state.bytes >= Self.mostBytes {
                state.kept = [:]
                state.bytes = 0
            }
            let kept = Kept(answer: answer, until: .now() + time)
            let old = state.kept.updateValue(kept, forKey: Key(target: target, visitor: visitor))
            state.bytes += answer.body.readableBytes - (old?.answer.body.readableBytes ?? 0)
        }
    }

    private static func visitor(_ agent: String, _ state: inout State) -> Visitor {
        if let known = state.visitors[agent] { return known }
        let visitor = Visitor(userAgent: agent)
        if state.visitors.count >= mostAnswers { state.visitors = [:] }
        if agent.utf8.count <= 512 { state.visitors[agent] = visitor }
        return visitor
    }
}
