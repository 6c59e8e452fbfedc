import Foundation
import Testing

@testable import ObjectStore

/// Which of a command's knowledge is still valid for the next one.
@Suite struct KeptKnowledgeTests {
    private static let saved = Date(timeIntervalSince1970: 1_800_000_000)

    private static func page(id: String? = "one", _ entries: Int, dropping: Int = 0) -> NewsPage {
        var page = NewsPage()
        page.id = id
        page.dropped = dropping
        for number in 0..<entries { page.add(changed: ["d\(number).json"], listed: []) }
        return page
    }

    private static var kept: KeptKnowledge {
        var kept = KeptKnowledge(place: "here", page: "one", number: 3, saved: saved)
        let object = KeptKnowledge.Object(
            bytes: Data(),
            etag: "\"e\"",
            writes: [],
            entry: nil,
            journal: nil,
            previous: nil,
        )
        for name in ["d1.json", "d4.json", "apps/a/app.json"] { kept.objects[name] = object }
        kept.absent = ["devices.json"]
        kept.lists["apps"] = KeptKnowledge.List(stamp: [1, 2], names: ["a"], keys: ["a"])
        kept.journals["activity/2027-01.jsonl"] = KeptKnowledge.Journal(
            starts: [0],
            bytes: Data(),
            etag: "\"j\"",
            writes: [],
        )
        return kept
    }

    @Test func `what was announced since is forgotten, and nothing else`() {
        var kept = Self.kept
        let counts = kept.keepUp(with: Self.page(5), at: Self.saved + 60)
        #expect(counts)
        #expect(kept.objects.keys.sorted() == ["apps/a/app.json", "d1.json"])
        #expect(
            kept.absent == ["devices.json"] && kept.lists.count == 1 && kept.journals.count == 1
        )
    }

    @Test func `of another page, one with a gap and after a day nothing counts`() {
        let cases: [(NewsPage, Double)] = [
            (Self.page(id: "two", 5), 60), (Self.page(id: nil, 5), 60), (Self.page(2), 60),
            (Self.page(5), 86_401), (Self.page(5), -1), (Self.page(1, dropping: 4), 60),
        ]
        for (page, seconds) in cases {
            var kept = Self.kept
            let counts = kept.keepUp(with: page, at: Self.saved + seconds)
            #expect(!counts, "\(page), \(seconds)")
        }
    }

    @Test(arguments: [
        ("apps/a/app.json", false), ("apps/b/app.json", false),
        ("apps/a/releases/1.0-1.json", true), ("apps/b/releases/1.0-1.json", false),
    ])
    func `a list stays only where no folder can be new in it`(path: String, stays: Bool) {
        var kept = Self.kept
        kept.forget(NewsPage.Entry(number: 4, changed: [path], listed: [path]))
        #expect((kept.lists["apps"] != nil) == stays)
    }

    @Test func `a journal and what was absent are forgotten by their paths`() {
        var kept = Self.kept
        let changed = ["activity/2027-01.jsonl", "devices.json"]
        kept.forget(NewsPage.Entry(number: 4, changed: changed, listed: []))
        #expect(kept.journals.isEmpty && kept.absent.isEmpty)
    }
}
