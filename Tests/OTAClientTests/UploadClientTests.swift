import Foundation
import OTAClient
import Testing

struct UploadClientTests {
    @Test func `the rate is that of the last seconds`() {
        var meter = UploadMeter(size: 1000)
        let begin = Date(timeIntervalSince1970: 0)
        #expect(meter.rate == nil && meter.remaining == nil)
        for second in 0...20 {
            let offset = second < 10 ? second * 10 : 100 + (second - 10) * 50
            meter.note(offset, at: begin.addingTimeInterval(Double(second)))
        }
        #expect(meter.rate == 50)
        #expect(meter.remaining == 8)
        // Bytes that are sent again are no progress.
        meter.note(400, at: begin.addingTimeInterval(21))
        #expect(meter.rate == nil)
    }

    @Test func `waits grow, stay bounded, and end`() {
        let patience = UploadPatience()
        let waits = (1..<patience.tries).compactMap { patience.wait(after: $0, chance: 1) }
        #expect(waits.count == patience.tries - 1)
        #expect(waits.first == patience.first && waits.last == patience.longest)
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(patience.wait(after: patience.tries, chance: 0) == nil)
        #expect(patience.wait(after: 1, chance: 0) == patience.first / 2)
    }

    @Test func `a server is given the time that it asks for, or given up`() {
        let patience = UploadPatience()
        #expect(patience.wait(after: 1, chance: 0.5, asked: 30) == 30.5)
        #expect(patience.wait(after: 11, chance: 1, asked: 1) == patience.longest)
        for asked in [301, .infinity, .nan] {
            #expect(patience.wait(after: 1, chance: 0, asked: asked) == nil)
        }
        #expect(patience.wait(after: patience.tries, chance: 0, asked: 1) == nil)
    }

    @Test func `pieces keep to what the server and a proxy take`() {
        var pieces = UploadPieces()
        pieces.keep(to: "max-size=99, max-append-size=1000000, max-age=5")
        #expect(pieces.size == 1_000_000)
        pieces.keep(to: "max-append-size=-1, nonsense, max-append-size")
        #expect(pieces.size == 1_000_000)
        #expect(pieces.range(from: 500, of: 700) == 500..<700)
        #expect(pieces.range(from: 0, of: 5_000_000) == 0..<1_000_000)
        var sizes: [Int] = []
        while pieces.shrink() { sizes.append(pieces.size) }
        #expect(sizes.last == 256 << 10 && sizes.count < 10)
    }
}
