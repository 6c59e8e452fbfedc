import Foundation
import Releases
import Testing

/// Testers' feedback, how much of it is kept, and where else testers may send it.
struct FeedbackTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)
    private let device = "0123456789abcdef01234567"

    private func said(
        _ number: Int,
        _ text: String = "It crashes.",
        by device: String? = nil,
        after seconds: Double = 0,
    ) -> Feedback {
        Feedback(
            identifier: "\(number)",
            date: date + seconds,
            text: text,
            release: ReleaseIdentifier(version: "1.0", build: "1"),
            sender: Feedback.Sender(name: "Ana’s iPhone", model: "iPhone 14 Pro", os: "18.1"),
            device: device,
        )
    }

    @Test func `the oldest go, and how many is known`() {
        var record = FeedbackRecord()
        for number in 0..<(FeedbackRecord.mostEntries + 3) {
            record.add(said(number, "\(number)", after: Double(number)))
        }
        #expect(record.entries.count == FeedbackRecord.mostEntries)
        #expect(record.entries.first?.identifier == "3" && record.dropped == 3)
        #expect(record.delete("4")?.text == "4" && record.delete("4") == nil)
        #expect(record.dropped == 3, "what an admin deletes made no room")
    }

    @Test func `a second tap adds nothing, and a device sends so many within an hour`() {
        var record = FeedbackRecord()
        record.add(said(1, by: device))
        record.add(said(2, by: device, after: 5))
        #expect(record.entries.map(\.identifier) == ["1"])
        record.add(said(3, by: device, after: 601))
        record.add(said(4, after: 602))
        #expect(record.entries.count == 3)
        for number in 5...7 {
            #expect(!record.isFull(for: device, at: date + 700))
            record.add(said(number, "\(number)", by: device, after: 700))
        }
        #expect(record.isFull(for: device, at: date + 3_599))
        #expect(!record.isFull(for: device, at: date + 3_600), "the first is an hour old")
        #expect(!record.isFull(for: "another", at: date + 700))
    }

    @Test func `an erased device leaves what it said, without a name`() {
        var record = FeedbackRecord()
        record.add(said(1, by: device))
        record.forget(device)
        #expect(record.entries.first?.device == nil)
        #expect(record.entries.first?.sender.words == "iPhone 14 Pro, iOS 18.1")
        #expect(record.entries.first?.text == "It crashes.")
    }

    @Test(arguments: [
        ("  a\r\nb\rc \n", "a\nb\nc"), ("a\u{1B}[31mb\u{0}", "a[31mb"),
        ("abc\u{202E}gpj\u{2066}", "abcgpj"), ("\u{7}", ""), ("日本語 👩‍👩‍👧", "日本語 👩‍👩‍👧"),
        ("mine is 00008120-000A1B2C3D4E5F60.", "mine is (device)."),
    ])
    func `of a text is kept what people read, and no device identifier`(raw: String, kept: String) {
        #expect(Feedback.text(of: raw) == kept)
    }

    @Test(arguments: [
        "off", "form", "https://example.com/help?app=1", "mailto:qa@example.com",
        "mailto:qa@example.com?subject=Browsey",
    ])
    func `a way to send feedback is read and written`(text: String) {
        #expect(FeedbackWay(text)?.description == text)
    }

    @Test(arguments: [
        "", "on", "http://example.com", "https://", "https:///path", "https://a@b.example",
        "mailto:", "mailto:qa", "mailto:@example.com", "mailto:a@b@c", "javascript:alert(1)",
        "https://example.com/\"onclick", "https://example.com/ a", "HTTPS://example.com",
        "https://example.com/" + String(repeating: "a", count: 481),
    ])
    func `what is no such way is refused`(text: String) {
        #expect(FeedbackWay(text) == nil)
    }
}
