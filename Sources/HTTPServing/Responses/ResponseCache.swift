import Bytes
package import NIOCore
import Synchronization

/// Responses that the event loops send without calling a route.
///
/// Each is the same for all clients that send no identifying cookie; for other clients the routes make
/// a response of their own.
package final class ResponseCache: Sendable {
    /// Bytes that strangers can make it hold by asking for many addresses; those go first that
    /// no one requested recently.
    private static let limit = 64 << 20
    /// Bytes that an answer takes beside its body: its head, its fields and its key.
    private static let overhead = 4 << 10
    /// Bytes of the agents whose kind is known, and of the fields whose language is.
    private static let fieldLimit = 1 << 20
    private static let fieldOverhead = 128
    private static let longestField = 512

    private struct Key: Hashable {
        let target: String
        /// The kind of client that the answer is for; nil when it is the same for all.
        let variant: ResponseVariant?
    }

    private struct Kept {
        let answer: CachedResponse
        /// When one request renders it again; the others get it meanwhile.
        var until: NIODeadline
        /// When no request gets it any more.
        let end: NIODeadline
    }

    private struct State {
        var lasting: [String: CachedResponse] = [:]
        var kept = RecentValues<Key, Kept>(limit: ResponseCache.limit)
        /// How often all that is kept was forgotten.
        var generation = 0
        /// Reading a `User-Agent` costs more than finding it again.
        var variants = RecentValues<String, ResponseVariant>(limit: ResponseCache.fieldLimit)
        /// The same of an `Accept-Language`.
        var languages = RecentValues<String, String>(limit: ResponseCache.fieldLimit)

        mutating func keep(_ value: Kept, for key: Key) {
            let cost = value.answer.body.readableBytes + ResponseCache.overhead
            kept.keep(value, for: key, cost: cost)
        }

        /// The kept answer; nil where there is none that is young enough, and for the one request that
        /// makes it again.
        mutating func current(_ key: Key, at now: NIODeadline) -> CachedResponse? {
            guard var found = kept.value(key) else { return nil }
            if found.until > now { return found.answer }
            if found.end > now {
                found.until = found.end
                keep(found, for: key)
            }
            return nil
        }
    }

    private let policy: CachePolicy
    private let state = Mutex(State())
    private let making = Mutex<[Key: Task<CachedResponse, any Error>]>([:])

    /// - Parameter policy: which requests may be answered from here.
    package init(_ policy: CachePolicy) {
        self.policy = policy
    }

    /// Finds the response for a path and query as they were sent; reads the `User-Agent`, the
    /// `Accept-Language` and the cookies only if the response may depend on them.
    func answer(
        for target: String,
        at now: NIODeadline = .now(),
        agent: () -> String?,
        languages: () -> String,
        cookies: () -> [String],
    ) -> CachedResponse? {
        state.withLock { state in
            if let answer = state.lasting[target] { return answer }
            let cookies = policy.isForEverybody(target) ? [] : cookies()
            if cookies.contains(where: policy.isPersonal) { return nil }
            if let answer = state.current(Key(target: target, variant: nil), at: now) {
                return answer
            }
            guard let variant = variant(of: target, agent, languages, cookies, &state) else {
                return nil
            }
            return state.current(Key(target: target, variant: variant), at: now)
        }
    }

    /// Keeps an answer that never changes.
    package func keepForGood(_ answer: CachedResponse, for target: String) {
        state.withLock { $0.lasting[target] = answer }
    }

    /// Makes an answer, once however many requests wait for it, and keeps it as
    /// ``keep(_:for:variant:lasting:)`` does.
    ///
    /// - Parameters:
    ///   - target: path and query.
    ///   - variant: the kind of client that it is for; nil when it is the same for all.
    ///   - time: for how long it is kept.
    ///   - make: makes it; what it throws is for one request, the others make their own.
    /// - Returns: the answer.
    /// - Throws: what `make` throws.
    package func keep(
        for target: String,
        variant: ResponseVariant? = nil,
        lasting time: TimeAmount,
        making make: @escaping @Sendable () async throws -> CachedResponse,
    ) async throws -> CachedResponse {
        let key = Key(target: target, variant: variant)
        let (maker, isFirst) = making.withLock { making in
            if let maker = making[key] { return (maker, false) }
            // Not the request's own: its client may leave while others wait.
            let generation = state.withLock(\.generation)
            let maker = Task {
                defer { self.making.withLock { $0[key] = nil } }
                do {
                    let answer = try await make()
                    self.keep(answer, for: key, lasting: time, madeIn: generation)
                    return answer
                } catch {
                    // What was kept is no longer true, such as a page of an app that was closed.
                    self.state.withLock { $0.kept.remove(key) }
                    throw error
                }
            }
            making[key] = maker
            return (maker, true)
        }
        do {
            return try await maker.value
        } catch {
            guard !isFirst else { throw error }
            return try await make()
        }
    }

    /// Keeps an answer for a while, and as long again while one request renders it again; `variant` is nil
    /// when it is the same for all.
    package func keep(
        _ answer: CachedResponse,
        for target: String,
        variant: ResponseVariant? = nil,
        lasting time: TimeAmount,
    ) {
        keep(answer, for: Key(target: target, variant: variant), lasting: time, madeIn: nil)
    }

    /// As of `generation`: an answer that was begun before all were forgotten is not kept.
    private func keep(
        _ answer: CachedResponse,
        for key: Key,
        lasting time: TimeAmount,
        madeIn generation: Int?,
    ) {
        state.withLock { state in
            guard generation.map({ $0 == state.generation }) ?? true else { return }
            let now = NIODeadline.now()
            state.keep(Kept(answer: answer, until: now + time, end: now + time + time), for: key)
        }
    }

    /// Forgets what is kept for a while, where something was sent to a target that may change it.
    func forget(changedBy target: String) {
        if policy.isChange(target) { forgetKept() }
    }

    /// Forgets what is kept for a while, so that the next request of each is answered by its route.
    ///
    /// What is being made meanwhile is not kept.
    package func forgetKept() {
        state.withLock { state in
            state.kept.removeAll()
            state.generation += 1
        }
    }

    /// Forgets what is kept for a while of a target, for every client and for those like this one;
    /// nothing for a client whose cookies identify it.
    func forget(_ target: String, agent: String, languages: String, cookies: [String]) {
        let cookies = policy.isForEverybody(target) ? [] : cookies
        guard !cookies.contains(where: policy.isPersonal) else { return }
        state.withLock { state in
            state.kept.remove(Key(target: target, variant: nil))
            let variant = variant(of: target, { agent }, { languages }, cookies, &state)
            if let variant { state.kept.remove(Key(target: target, variant: variant)) }
        }
    }

    /// What such a client is given of a target; nil where all are given the same.
    private func variant(
        of target: String,
        _ agent: () -> String?,
        _ languages: () -> String,
        _ cookies: [String],
        _ state: inout State,
    ) -> ResponseVariant? {
        let isSpoken = policy.dependsOnLanguage(target)
        let dependsOnAgent = policy.dependsOnAgent(target)
        guard isSpoken || dependsOnAgent else { return nil }
        let variant =
            dependsOnAgent ? variant(of: agent() ?? "", &state) : ResponseVariant("")
        guard isSpoken else { return variant }
        for cookie in cookies {
            if let chosen = policy.chosenLanguage(cookie) { return variant.spoken(in: chosen) }
        }
        return variant.spoken(in: language(of: languages(), &state))
    }

    private func language(of accepted: String, _ state: inout State) -> String {
        if let known = state.languages.value(accepted) { return known }
        let language = policy.language(accepted)
        if accepted.utf8.count <= Self.longestField {
            state.languages.keep(language, for: accepted, cost: Self.cost(of: accepted))
        }
        return language
    }

    private func variant(of agent: String, _ state: inout State) -> ResponseVariant {
        if let known = state.variants.value(agent) { return known }
        let variant = policy.variant(agent)
        if agent.utf8.count <= Self.longestField {
            state.variants.keep(variant, for: agent, cost: Self.cost(of: agent))
        }
        return variant
    }

    private static func cost(of field: String) -> Int { field.utf8.count + fieldOverhead }
}
