import Bytes
package import NIOCore
import Synchronization

/// Responses that the event loops send without calling a route.
///
/// Each response is the same for all clients without an identifying cookie; routes create individual
/// responses for the others.
package final class ResponseCache: Sendable {
    /// The most bytes held, however many targets clients request; the least recently used are evicted
    /// first.
    private static let limit = 64 << 20
    /// Bytes of a response besides its body: its head, its fields and its key.
    private static let overhead = 4 << 10
    /// Bytes of the cached `User-Agent` values, and of the cached `Accept-Language` values.
    private static let fieldLimit = 1 << 20
    private static let fieldOverhead = 128
    private static let longestField = 512

    private struct Key: Hashable {
        let target: String
        /// The kind of client that the response is for; nil if it is the same for all.
        let variant: ResponseVariant?
    }

    private struct Kept {
        let answer: CachedResponse
        /// When the response is stale: one request then renders it again, while the others still get this
        /// one.
        var until: NIODeadline
        /// When no request gets it any more.
        let end: NIODeadline
    }

    private struct State {
        var lasting: [String: CachedResponse] = [:]
        var kept = RecentValues<Key, Kept>(limit: ResponseCache.limit)
        /// How often the cache has been cleared.
        var generation = 0
        /// Variants by `User-Agent`, because parsing one costs more than a lookup.
        var variants = RecentValues<String, ResponseVariant>(limit: ResponseCache.fieldLimit)
        /// Languages by `Accept-Language`.
        var languages = RecentValues<String, String>(limit: ResponseCache.fieldLimit)

        mutating func keep(_ value: Kept, for key: Key) {
            let cost = value.answer.body.readableBytes + ResponseCache.overhead
            kept.keep(value, for: key, cost: cost)
        }

        /// Returns the cached response; nil if there is none that is fresh enough, and for the one
        /// request that renders a stale response again.
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

    /// - Parameter policy: decides which requests the cache may answer.
    package init(_ policy: CachePolicy) {
        self.policy = policy
    }

    /// Returns the response for a path and query as sent by the client.
    ///
    /// `User-Agent`, `Accept-Language` and cookies are read only if the response may depend on them.
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

    /// Keeps a response that never changes.
    package func keepForGood(_ answer: CachedResponse, for target: String) {
        state.withLock { $0.lasting[target] = answer }
    }

    /// Creates a response, only once for all requests that wait for it, and keeps it as
    /// ``keep(_:for:variant:lasting:)`` does.
    ///
    /// - Parameters:
    ///   - target: path and query.
    ///   - variant: the kind of client that it is for; nil if it is the same for all.
    ///   - time: how long it is kept.
    ///   - make: creates it; if that throws, only one request fails, and the others call it themselves.
    /// - Returns: the response.
    /// - Throws: the error of `make`.
    package func keep(
        for target: String,
        variant: ResponseVariant? = nil,
        lasting time: TimeAmount,
        making make: @escaping @Sendable () async throws -> CachedResponse,
    ) async throws -> CachedResponse {
        let key = Key(target: target, variant: variant)
        let (maker, isFirst) = making.withLock { making in
            if let maker = making[key] { return (maker, false) }
            // In a task of its own: the request's client may leave while others wait.
            let generation = state.withLock(\.generation)
            let maker = Task {
                defer { self.making.withLock { $0[key] = nil } }
                do {
                    let answer = try await make()
                    self.keep(answer, for: key, lasting: time, madeIn: generation)
                    return answer
                } catch {
                    // The cached response is outdated, such as a page of an app that was closed.
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

    /// Keeps a response for the given time, and again as long while one request renders it again;
    /// `variant` is nil if the response is the same for all clients.
    package func keep(
        _ answer: CachedResponse,
        for target: String,
        variant: ResponseVariant? = nil,
        lasting time: TimeAmount,
    ) {
        keep(answer, for: Key(target: target, variant: variant), lasting: time, madeIn: nil)
    }

    /// Keeps a response unless the cache has been cleared since `generation`, when its creation began.
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

    /// Clears the temporary entries if a request that changed data at `target` may invalidate them.
    func forget(changedBy target: String) {
        if policy.isChange(target) { forgetKept() }
    }

    /// Clears the temporary entries, so that routes answer the next requests for them.
    ///
    /// Responses whose creation is under way are not kept either.
    package func forgetKept() {
        state.withLock { state in
            state.kept.removeAll()
            state.generation += 1
        }
    }

    /// Removes a target's temporary entries: the one for all clients, and the variant for this client.
    ///
    /// Does nothing for a client whose cookies identify it.
    func forget(_ target: String, agent: String, languages: String, cookies: [String]) {
        let cookies = policy.isForEverybody(target) ? [] : cookies
        guard !cookies.contains(where: policy.isPersonal) else { return }
        state.withLock { state in
            state.kept.remove(Key(target: target, variant: nil))
            let variant = variant(of: target, { agent }, { languages }, cookies, &state)
            if let variant { state.kept.remove(Key(target: target, variant: variant)) }
        }
    }

    /// Returns the variant of a target for such a client; nil if all clients get the same.
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
