import Access
import Foundation
import Store
import StoreFixtures
import TestSupport
import Testing

/// Guesses that several servers on one store count together.
struct SharedGuessTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: StorePlace.Kind.allCases)
    func `servers that count together admit no more guesses than one`(
        kind: StorePlace.Kind
    ) async throws {
        try await withPlace(kind) { place in
            _ = try place.openOrCreate()
            let servers = try (0..<3).map { _ in try place.open() }
            var alone = SharedGuessLimit(.code)
            for number in 0..<45 {
                let address = "\(number % 9 + 1).1.1.1"
                let now = date.addingTimeInterval(Double(number))
                let expected = alone.admit(from: address, at: now)
                var found: TimeInterval?
                try servers[number % 3].changeGuesses(at: "codes") { memory in
                    var limit = SharedGuessLimit(.code, remembering: memory)
                    found = limit.admit(from: address, at: now)
                    memory = limit.memory
                }
                #expect(found == expected, "guess \(number)")
            }
            #expect(alone.admit(from: "99.1.1.1", at: date.addingTimeInterval(46)) != nil)
        }
    }
}
