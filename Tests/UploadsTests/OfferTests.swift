import Bundles
import Cryptography
import Foundation
import Identifiers
import Problems
import Releases
import Testing
import Uploads

struct OfferTests {
    private func offer(_ json: String) throws -> UploadOffer {
        try JSONDecoder().decode(UploadOffer.self, from: Data(json.utf8))
    }

    @Test func `an offer says as little as the size`() throws {
        let offer = try offer(#"{"size": 5}"#)
        #expect(offer == UploadOffer(size: 5))
        #expect(offer.channel == .stable && !offer.replace && offer.release == nil)
        try offer.check()
    }

    @Test func `an offer says all that publish can be told`() throws {
        let digest = SHA256Digest(of: [1, 2, 3])
        let offer = try offer(
            """
            {"size": 5, "sha256": "\(digest)", "app": "com.example.demo", "version": "1.2",
             "build": "3", "channel": "beta", "notes": "More", "tag": "v1.2",
             "commit": "abc", "replace": true}
            """
        )
        try offer.check()
        #expect(offer.sha256 == digest && offer.app?.rawValue == "com.example.demo")
        #expect(offer.release?.rawValue == "1.2-3" && offer.channel.rawValue == "beta")
        #expect(offer.notes == "More" && offer.tag == "v1.2" && offer.commit == "abc")
        #expect(offer.replace)
    }

    @Test func `a query says the same as JSON`() throws {
        let query = [
            "app": "com.example.demo", "version": "1.2", "build": "3", "channel": "beta",
            "notes": "More", "tag": "v1.2", "commit": "abc", "replace": "true",
        ]
        let digest = SHA256Digest(of: [1, 2, 3])
        let read = try UploadOffer(query: query, size: 5, sha256: digest)
        let json = try JSONEncoder().encode(read)
        #expect(try JSONDecoder().decode(UploadOffer.self, from: json) == read)
        #expect(read.replace && read.tag == "v1.2" && read.sha256 == digest)
    }

    @Test(arguments: [
        ("channel", "../x"), ("channel", "UPPER"), ("replace", "yes"), ("sha256", "12"),
        ("app", "a b"), ("app", "com.example/../x"), ("unknown", "1"), ("\u{1B}[31m", "1"),
    ])
    func `a parameter that cannot be meant is refused by name`(name: String, value: String) {
        do throws(UploadRefusal) {
            _ = try UploadOffer(query: [name: value], size: 5, sha256: nil)
            Issue.record("\(name)=\(value) was taken")
        } catch {
            guard case .malformed(let field, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(!field.contains("\u{1B}") && !"\(error)".contains("\u{1B}"))
            #expect(error.kind == .invalid)
            if name != field { return }
            #expect("\(error)".contains("it must be ") || name == "unknown", "\(error)")
        }
    }

    @Test(arguments: [
        "line\nbreak", "\u{202E}reversed", "a\u{0}b", "", String(repeating: "x", count: 201),
    ])
    func `a tag that cannot be printed on one line is refused`(tag: String) {
        var offer = UploadOffer(size: 5)
        offer.tag = tag
        #expect(throws: UploadRefusal.self) { try offer.check() }
    }

    @Test func `nothing and less are no size, and notes have a limit`() {
        #expect(throws: UploadRefusal.self) { try UploadOffer(size: 0).check() }
        #expect(throws: UploadRefusal.self) { try UploadOffer(size: -1).check() }
        var offer = UploadOffer(size: 5)
        offer.notes = String(repeating: "n", count: UploadOffer.notesLimit + 1)
        #expect(throws: UploadRefusal.self) { try offer.check() }
    }

    @Test func `a digest may say another thing in only one of two places`() {
        let one = SHA256Digest(of: [1])
        #expect(throws: UploadRefusal.malformed("sha256", "is not what Repr-Digest says")) {
            try UploadOffer(query: ["sha256": "\(SHA256Digest(of: [2]))"], size: 5, sha256: one)
        }
    }
}
