import Foundation
import Problems
import Testing
import Uploads

struct LimitTests {
    private let limits = UploadLimits()

    @Test func `what fits is taken`() throws {
        try limits.admit(limits.largest, beside: UploadLoad(), free: nil)
        try limits.admit(1, beside: UploadLoad(), free: limits.reserve + 1)
    }

    @Test func `each limit has an answer of its own`() {
        var full = UploadLoad()
        full.own = limits.perToken
        var crowded = UploadLoad()
        crowded.all = limits.all
        var spent = UploadLoad()
        spent.ownBytes = limits.quota - 10
        var promised = UploadLoad()
        promised.missing = 100
        let cases: [(Int, UploadLoad, Int?, Problem.Kind)] = [
            (limits.largest + 1, UploadLoad(), nil, .tooLarge),
            (1 << 40, UploadLoad(), nil, .tooLarge),
            (1, full, nil, .tooMany), (1, crowded, nil, .tooMany), (11, spent, nil, .outOfRoom),
            (1, UploadLoad(), limits.reserve, .outOfRoom), (1, UploadLoad(), 0, .outOfRoom),
            (1, promised, limits.reserve + 100, .outOfRoom),
        ]
        for (size, load, free, kind) in cases {
            do throws(UploadRefusal) {
                try limits.admit(size, beside: load, free: free)
                Issue.record("\(size) bytes were taken")
            } catch {
                #expect(error.kind == kind)
                #expect(!error.fix.isEmpty && !error.id.isEmpty)
            }
        }
    }

    @Test func `a full disk is told from one that is promised to others`() {
        var promised = UploadLoad()
        promised.missing = 300_000_000
        let free = limits.reserve + 400_000_000
        let sentences = [(500_000_000, UploadLoad()), (200_000_000, promised)].map { size, load in
            #expect(throws: UploadRefusal.self) {
                try limits.admit(size, beside: load, free: free)
            }
        }.map { "\($0?.description ?? "") – \($0?.fix ?? "")" }
        #expect(
            sentences == [
                "the server's disk has no room for 500 MB: it has 1.5 GB free, of which 1.1 GB must "
                    + "stay free – free space on the server: `ota releases prune`, then `ota store gc`",
                "the server's disk has no room for 200 MB: it has 1.5 GB free, of which 1.1 GB must "
                    + "stay free and running uploads need 300 MB – wait for running uploads, or cancel them "
                    + "with DELETE; or free space on the server: `ota releases prune`, then `ota "
                    + "store gc`",
            ]
        )
    }

    @Test func `what the limit is passed by shows, however little it is`() {
        let gigabyte = 1_000_000_000
        let sentences: KeyValuePairs<UploadRefusal, String> = [
            .tooLarge(limits.largest + 1, limit: limits.largest):
                "the build is 4,294,967,297 bytes, but this server accepts at most 4,294,967,296 bytes",
            .tooLarge(5 * gigabyte, limit: limits.largest):
                "the build is 5 GB, but this server accepts at most 4.3 GB",
            .quotaExceeded(5_000_000, used: 16 * gigabyte - 1000, quota: 16 * gigabyte):
                "5,000,000 bytes more would exceed this token's quota: its uploads already use "
                + "15,999,999,000 bytes of 16,000,000,000 bytes",
            .quotaExceeded(gigabyte, used: 16 * gigabyte - 1000, quota: 16 * gigabyte):
                "1 GB more would exceed this token's quota: its uploads already use 16 GB of 16 GB",
            .noRoom(1, free: gigabyte, reserve: gigabyte, promised: 0):
                "the server's disk has no room for 1 byte: it has 1,000,000,000 bytes free, of which "
                + "1,000,000,000 bytes must stay free",
            .noRoom(.max, free: gigabyte, reserve: .max, promised: gigabyte):
                "the server's disk has no room for 9,223,372 TB: it has 1 GB free, of which "
                + "9,223,372 TB must stay free and running uploads need 1 GB",
        ]
        for (refusal, sentence) in sentences { #expect("\(refusal)" == sentence) }
    }

    @Test func `after a power cut only what was synced is believed`() {
        var record = UploadRecord(
            identifier: UploadIdentifier { [UInt8](repeating: 1, count: $0) },
            token: "t",
            publisher: "ci",
            offer: UploadOffer(size: 1000),
            created: Date(timeIntervalSince1970: 0),
            boot: "one",
        )
        record.lasting = 400
        #expect(record.believable(700, boot: "one") == 700)
        #expect(record.believable(700, boot: "two") == 400)
        #expect(record.believable(300, boot: "two") == 300)
        #expect(record.believable(1700, boot: "one") == 1000)
        record.boot = ""
        #expect(record.believable(700, boot: "") == 400)
    }

    @Test func `bytes and answers have their day, and a publish under way has no end`() {
        let begin = Date(timeIntervalSince1970: 0)
        var record = UploadRecord(
            identifier: UploadIdentifier { [UInt8](repeating: 1, count: $0) },
            token: "t",
            publisher: "ci",
            offer: UploadOffer(size: 1000),
            created: begin,
            boot: "",
        )
        let late = begin.addingTimeInterval(limits.idleTime + 1)
        for state in [UploadRecord.State.receiving, .finished] {
            record.state = state
            #expect(!record.isStale(at: begin, limits: limits))
            #expect(record.isStale(at: late, limits: limits))
        }
        record.state = .publishing
        #expect(!record.isStale(at: late, limits: limits))
    }
}
