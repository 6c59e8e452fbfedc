import HTTPTypes
import NIOCore
import Synchronization
import Testing

@testable import HTTPServing

/// Responses that are cached for a while, and which request makes them again.
@Suite(.timeLimit(.minutes(10)))
struct ResponseCacheTests {
    private struct Failure: Error {}

    private final class Count: Sendable {
        private let number = Mutex(0)

        var now: Int { number.withLock(\.self) }

        @discardableResult
        func next() -> Int {
            number.withLock { number in
                number += 1
                return number
            }
        }
    }

    private static func cache() -> ResponseCache {
        ResponseCache(
            CachePolicy(
                isPersonal: { _ in false },
                isForEverybody: { $0 != "/spoken" },
                dependsOnAgent: { _ in false },
                variant: { ResponseVariant($0) },
                dependsOnLanguage: { $0 == "/spoken" },
                chosenLanguage: { $0.hasPrefix("language=") ? String($0.dropFirst(9)) : nil },
                language: { String($0.prefix(2)) },
                isChange: { $0 == "/change" },
            )
        )
    }

    private static func answer(_ text: String) -> CachedResponse {
        CachedResponse(route: "/", status: .ok, fields: [:], body: ByteBuffer(string: text))
    }

    private static func found(_ cache: ResponseCache, after time: TimeAmount) -> String? {
        cache.answer(
            for: "/",
            at: .now() + time,
            agent: { nil },
            languages: { "" },
            cookies: { [] },
        )
        .map { String(buffer: $0.body) }
    }

    @Test func `one request makes an answer anew, and the others get the old one meanwhile`() {
        let cache = Self.cache()
        cache.keep(Self.answer("old"), for: "/", lasting: .minutes(10))
        #expect(Self.found(cache, after: .minutes(9)) == "old")
        #expect(Self.found(cache, after: .minutes(11)) == nil, "it is made anew")
        #expect(Self.found(cache, after: .minutes(11)) == "old")
        #expect(Self.found(cache, after: .minutes(19)) == "old")
        cache.keep(Self.answer("new"), for: "/", lasting: .minutes(10))
        #expect(Self.found(cache, after: .minutes(9)) == "new")
        for _ in 0..<2 { #expect(Self.found(cache, after: .minutes(21)) == nil, "it is too old") }
    }

    @Test func `an answer that many wait for is made once`() async throws {
        let cache = Self.cache()
        let (made, arrived) = (Count(), Count())
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    arrived.next()
                    let answer = try await cache.keep(for: "/", lasting: .minutes(10)) {
                        made.next()
                        while arrived.now < 50 { await Task.yield() }
                        for _ in 0..<100 { await Task.yield() }
                        return Self.answer("made")
                    }
                    return String(buffer: answer.body)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "made", count: 50))
        #expect(Self.found(cache, after: .nanoseconds(0)) == "made")
        #expect(made.now < 50)
    }

    @Test func `a refusal ends what was kept`() async throws {
        let cache = Self.cache()
        cache.keep(Self.answer("open"), for: "/", lasting: .minutes(10))
        #expect(Self.found(cache, after: .minutes(11)) == nil, "it is made anew")
        await #expect(throws: Failure.self) {
            try await cache.keep(for: "/", lasting: .minutes(10)) { throw Failure() }
        }
        #expect(Self.found(cache, after: .minutes(11)) == nil)
    }

    @Test func `a target whose route refuses is forgotten, and no other`() {
        let cache = Self.cache()
        for target in ["/", "/other"] {
            cache.keep(Self.answer("open"), for: target, lasting: .minutes(10))
        }
        cache.forget("/other", agent: "a phone", languages: "", cookies: [])
        #expect(Self.found(cache, after: .minutes(1)) == "open")
        cache.forget("/", agent: "a phone", languages: "", cookies: [])
        #expect(Self.found(cache, after: .minutes(1)) == nil)
    }

    @Test func `an answer is found in its language, which a cookie chooses first`() {
        let cache = Self.cache()
        for language in ["de", "fr"] {
            let variant = ResponseVariant("", language: language)
            let answer = Self.answer(language)
            cache.keep(answer, for: "/spoken", variant: variant, lasting: .minutes(10))
        }
        let found = { (languages: String, cookies: [String]) in
            cache.answer(
                for: "/spoken",
                agent: { nil },
                languages: { languages },
                cookies: { cookies },
            ).map { String(buffer: $0.body) }
        }
        #expect(found("de-CH", []) == "de")
        #expect(found("fr", []) == "fr")
        #expect(found("ja", []) == nil)
        #expect(found("de", ["language=fr"]) == "fr")
        cache.forget("/spoken", agent: "", languages: "", cookies: ["language=fr"])
        #expect(found("fr", []) == nil)
        #expect(found("de", []) == "de")
    }

    @Test func `what one request is refused is refused to no other`() async throws {
        let cache = Self.cache()
        let made = Count()
        let results = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let answer = try? await cache.keep(for: "/", lasting: .minutes(10)) {
                        let number = made.next()
                        await Task.yield()
                        guard number > 1 else { throw Failure() }
                        return Self.answer("made")
                    }
                    return answer != nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { !$0 } == 1)
    }

    @Test func `strangers who ask for ever other addresses drive out no page that is asked for`() {
        let cache = Self.cache()
        let body = String(repeating: "x", count: 1 << 20)
        cache.keep(Self.answer("page"), for: "/", lasting: .minutes(10))
        for number in 0..<200 {
            cache.keep(Self.answer(body), for: "/?\(number)", lasting: .minutes(10))
            #expect(Self.found(cache, after: .minutes(1)) == "page")
        }
        let found = (0..<200).count { number in
            let answer = cache.answer(
                for: "/?\(number)",
                agent: { nil },
                languages: { "" },
                cookies: { [] },
            )
            return answer != nil
        }
        #expect((1..<64).contains(found), "64 MB are kept, and no more")
    }
}
