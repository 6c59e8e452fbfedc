package import NIOCore
import Synchronization

/// Responses that the event loops send without calling a route.
///
/// Each is the same for all clients that send no identifying cookie; for other clients the routes make
/// a response of their own.
package final class ResponseCache: Sendable {
    /// Bounds what strangers can make it hold by asking for many addresses.
    private static let mostAnswers = 4096
    private static let mostBytes = 64 << 20

    private struct Key: Hashable {
        let target: String
        /// The kind of client that the answer is for; nil when it is the same for all.
        let variant: ResponseVariant?
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
        var variants: [String: ResponseVariant] = [:]
    }

    private let policy: CachePolicy
    private let state = Mutex(State())

    /// - Parameter policy: which requests may be answered from here.
    package init(_ policy: CachePolicy) {
        self.policy = policy
    }

    /// Finds the response for a path and query as they were sent; reads the `User-Agent` and the
    /// cookies only if the response may depend on them.
    func answer(
        for target: String,
        agent: () -> String?,
        cookies: () -> [String],
    ) -> CachedResponse? {
        state.withLock { state in
            if let answer = state.lasting[target] { return answer }
            if !policy.isForEverybody(target), cookies().contains(where: policy.isPersonal) {
                return nil
            }
            let now = NIODeadline.now()
            if let kept = state.kept[Key(target: target, variant: nil)], kept.until > now {
                return kept.answer
            }
            guard policy.dependsOnAgent(target) else { return nil }
            let variant = variant(of: agent() ?? "", &state)
            guard let kept = state.kept[Key(target: target, variant: variant)], kept.until > now
            else { return nil }
            return kept.answer
        }
    }

    /// Keeps an answer that never changes.
    package func keepForGood(_ answer: CachedResponse, for target: String) {
        state.withLock { $0.lasting[target] = answer }
    }

    /// Keeps an answer for a while; `variant` is nil when it is the same for all.
    package func keep(
        _ answer: CachedResponse,
        for target: String,
        variant: ResponseVariant? = nil,
        lasting time: TimeAmount,
    ) {
        state.withLock { state in
            if state.kept.count >= Self.mostAnswers || state.bytes >= Self.mostBytes {
                state.kept = [:]
                state.bytes = 0
            }
            let kept = Kept(answer: answer, until: .now() + time)
            let old = state.kept.updateValue(kept, forKey: Key(target: target, variant: variant))
            state.bytes += answer.body.readableBytes - (old?.answer.body.readableBytes ?? 0)
        }
    }

    /// Forgets what is kept for a while, so that the next request of each is answered by its route.
    package func forgetKept() {
        state.withLock { state in
            state.kept = [:]
            state.bytes = 0
        }
    }

    private func variant(of agent: String, _ state: inout State) -> ResponseVariant {
        if let known = state.variants[agent] { return known }
        let variant = policy.variant(agent)
        if state.variants.count >= Self.mostAnswers { state.variants = [:] }
        if agent.utf8.count <= 512 { state.variants[agent] = variant }
        return variant
    }
}
