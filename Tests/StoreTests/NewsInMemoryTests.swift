@testable import ObjectStore
@testable import S3
import Store
import Testing

/// How long the knowledge about a store is valid.
struct NewsInMemoryTests {
    @Test func `who missed announcements forgets everything`() {
        let news = NewsInMemory(Self.timing)
        news.follow()
        news.note(NewsPage())
        news.hear(from: .now, isThere: true)
        let stamp = ChangeStamp(values: [1], isSettled: true)
        news.keep(stamp, of: "apps/a/app.json", since: news.moment())
        #expect(news.stamp(of: "apps/a/app.json") == .some(stamp))
        let top = news.stamp(ofTop: "apps")
        var page = NewsPage()
        for number in 1...400 { page.add(changed: ["b/\(number)"], listed: []) }
        news.note(page)
        #expect(news.stamp(of: "apps/a/app.json") == nil)
        #expect(news.stamp(ofTop: "apps") != top)
    }

    @Test func `while the store is silent what is known stays`() {
        let news = NewsInMemory(Self.timing)
        news.follow()
        let stamp = ChangeStamp(values: [1], isSettled: true)
        news.hear(from: .now - NewsInMemory.silence * 2, isThere: true)
        news.keep(stamp, of: "devices.json", since: news.moment())
        var page = NewsPage()
        page.add(changed: ["devices.json"], listed: [])
        news.note(page)
        #expect(news.stamp(of: "devices.json") == .some(stamp))
    }

    @Test func `a change that came late, and was not announced again, is found by a further look`()
    {
        let news = Self.followed()
        let heard = ContinuousClock.now - .seconds(30)
        news.note(Self.page(["devices.json"]), asked: heard, at: heard)
        let settled = heard + Self.timing.settling + .milliseconds(1)
        let stamp = ChangeStamp(values: [1], isSettled: true)
        news.keep(
            stamp,
            of: "devices.json",
            since: NewsInMemory.Moment(number: 1, asked: settled),
        )
        let top = news.stamp(ofTop: "devices.json", at: settled)
        let before = heard + Self.timing.settling * 4
        #expect(news.stamp(of: "devices.json", at: before) == .some(stamp))
        #expect(news.stamp(ofTop: "devices.json", at: before) == top)
        let due = before + .milliseconds(1)
        #expect(news.stamp(of: "devices.json", at: due) == nil)
        #expect(news.stamp(ofTop: "devices.json", at: due) != top)
        // This check is sufficient for four times as long.
        news.keep(stamp, of: "devices.json", since: NewsInMemory.Moment(number: 1, asked: due))
        let later = heard + Self.timing.settling * 16
        #expect(news.stamp(of: "devices.json", at: later) == .some(stamp))
        #expect(news.stamp(of: "devices.json", at: later + .milliseconds(1)) == nil)
    }

    @Test func `what was given out while the store was silent is looked at again afterwards`() {
        let news = Self.followed()
        let heard = ContinuousClock.now
        news.note(Self.page(["apps/a/app.json"]), asked: heard, at: heard)
        news.hear(from: heard, isThere: true)
        let silent = heard + NewsInMemory.silence + .milliseconds(1)
        let top = news.stamp(ofTop: "apps", at: silent)
        #expect(top?.isSettled == true)
        news.hear(from: silent + .seconds(1), isThere: true)
        #expect(news.stamp(ofTop: "apps", at: silent + .seconds(1)) != top)
    }

    @Test
    func `a change of one’s own of which nobody knows what came has everything looked at again`() {
        let news = Self.followed()
        let heard = ContinuousClock.now
        news.note(Self.page(["apps/a/app.json"]), isOwn: true, asked: heard, at: heard)
        news.begin("apps/a/app.json")
        // The change takes long; meanwhile, the document was checked.
        let meanwhile = news.stamp(ofTop: "apps", at: heard + Self.timing.settling * 2)
        #expect(meanwhile?.isSettled == true)
        news.end("apps/a/app.json", .unknown) { _, _ in nil }
        let after = news.stamp(ofTop: "apps", at: .now + Self.timing.settling * 2)
        #expect(after?.isSettled == true)
        #expect(after != meanwhile)
    }

    @Test func `an answer that a page of one’s own has overtaken changes nothing`() {
        let news = Self.followed()
        let asked = ContinuousClock.now
        var page = Self.page(["apps/a/app.json"])
        let older = page
        page.add(changed: ["apps/b/app.json"], listed: [])
        news.note(page, isOwn: true, asked: asked + .milliseconds(1), at: asked + .milliseconds(2))
        let stamp = ChangeStamp(values: [1], isSettled: true)
        let moment = NewsInMemory.Moment(number: 2, asked: asked + .milliseconds(3))
        news.keep(stamp, of: "devices.json", since: moment)
        news.note(older, asked: asked, at: asked + .milliseconds(4))
        #expect(news.stamp(of: "devices.json") == .some(stamp))
        // An emptied bucket starts again.
        news.note(NewsPage(), asked: asked + .milliseconds(5), at: asked + .milliseconds(6))
        #expect(news.stamp(of: "devices.json") == nil)
    }

    @Test func `a list with one’s own additions is asked for again for what others announced`() {
        let news = Self.followed()
        let heard = ContinuousClock.now - Self.timing.settling * 5
        news.note(Self.page(["jobs/a.json"], listed: true), asked: heard, at: heard)
        let before = ChangeStamp(values: [1], isSettled: true)
        let asked = heard + Self.timing.settling * 2
        news.keep(before, of: "jobs", since: NewsInMemory.Moment(number: 1, asked: asked))
        // The list is known when the server's own announcement is made, and its later check is due by now.
        let own = heard + Self.timing.settling * 3
        var page = Self.page(["jobs/a.json"], listed: true)
        page.add(changed: ["jobs/b.json"], listed: ["jobs/b.json"])
        news.note(page, isOwn: true, asked: own, at: own)
        news.begin("jobs/b.json")
        let after = ChangeStamp(values: [2], isSettled: true)
        news.end("jobs/b.json", .made(before)) { folder, known in
            #expect(folder == "jobs" && known == before)
            return NewsInMemory.Relisted(stamp: after, asked: asked)
        }
        #expect(news.stamp(of: "jobs") == nil)
        #expect(news.stamp(of: "jobs/b.json") == .some(before))
    }

    @Test func `an answer that another one has overtaken makes no known journal shorter`() throws {
        let journals = KnownJournals()
        let name = try DocumentName("activity", "2026-01.jsonl")
        let etag = try #require(ETag("\"1\""))
        func segments(_ text: String) -> JournalSegments {
            let tail = JournalTail(start: 0, bytes: Array(text.utf8), etag: etag, writes: [])
            return JournalSegments(starts: [0], tail: tail)
        }
        let asked = ContinuousClock.now
        journals.note(segments("{}\n{}\n"), of: name, asked: .now)
        journals.note(segments("{}\n"), of: name, asked: asked)
        #expect(journals[name]?.tail.end == 6)
        journals.note(nil, of: name, asked: asked)
        #expect(journals[name]?.tail.end == 6)
        // An older version of the store was restored.
        journals.note(segments("{}\n"), of: name, asked: .now)
        #expect(journals[name]?.tail.end == 3)
    }

    private static let timing = NewsTiming(
        interval: .milliseconds(300),
        settling: .milliseconds(1_200),
    )

    /// An instance that has read that there are no changes.
    private static func followed() -> NewsInMemory {
        let news = NewsInMemory(timing)
        news.follow()
        news.note(NewsPage(), at: .now - .seconds(60))
        news.hear(from: .now, isThere: true)
        return news
    }

    private static func page(_ paths: Set<String>, listed: Bool = false) -> NewsPage {
        var page = NewsPage()
        page.add(changed: paths, listed: listed ? paths : [])
        return page
    }
}
