import Synchronization

/// The operations of a document's writers and readers with their times, and the check of these against the
/// final state.
///
/// The document is a list to which each writer adds its own word by a conditional write, so that its final
/// state shows the order of all writes. The history is linearizable if that order agrees with all responses.
final class WriteHistory: Sendable {
    enum Answer: Sendable {
        case done
        case refused
        /// The result is unknown.
        case unknown
    }

    private struct Write: Sendable {
        let word: String
        let answer: Answer
        let begun: ContinuousClock.Instant
        let ended: ContinuousClock.Instant
    }

    private struct Reading: Sendable {
        let words: [String]
        let begun: ContinuousClock.Instant
        let ended: ContinuousClock.Instant
    }

    private let events = Mutex<(writes: [Write], readings: [Reading])>(([], []))

    var acknowledged: Int {
        events.withLock { $0.writes.count { $0.answer == .done } }
    }

    func wrote(
        _ word: String,
        _ answer: Answer,
        from begun: ContinuousClock.Instant,
        to ended: ContinuousClock.Instant = .now,
    ) {
        let write = Write(word: word, answer: answer, begun: begun, ended: ended)
        events.withLock { $0.writes.append(write) }
    }

    func read(
        _ words: [String],
        from begun: ContinuousClock.Instant,
        to ended: ContinuousClock.Instant = .now,
    ) {
        let reading = Reading(words: words, begun: begun, ended: ended)
        events.withLock { $0.readings.append(reading) }
    }

    /// The contradictions between the history and the document's final state.
    func flaws(in end: [String]) -> [String] {
        let (writes, readings) = events.withLock { $0 }
        var flaws: [String] = []
        var places: [String: Int] = [:]
        for (place, word) in end.enumerated() {
            if places.updateValue(place, forKey: word) != nil { flaws.append("\(word) twice") }
            if !writes.contains(where: { $0.word == word }) { flaws.append("\(word) of nobody") }
        }
        for write in writes {
            switch (write.answer, places[write.word]) {
            case (.done, nil): flaws.append("\(write.word) acknowledged and lost")
            case (.refused, .some): flaws.append("\(write.word) refused and done")
            default: break
            }
        }
        for earlier in writes where earlier.answer == .done {
            guard let place = places[earlier.word] else { continue }
            for later in writes where later.begun > earlier.ended {
                if let other = places[later.word], other < place {
                    flaws.append("\(later.word) before \(earlier.word), which had ended")
                }
            }
        }
        for reading in readings {
            guard end.starts(with: reading.words) else {
                flaws.append("a reading that was never the document: \(reading.words)")
                continue
            }
            for write in writes {
                guard let place = places[write.word] else { continue }
                let isSeen = place < reading.words.count
                if isSeen, write.begun > reading.ended {
                    flaws.append("\(write.word) seen before it began")
                }
                if !isSeen, write.answer == .done, write.ended < reading.begun {
                    flaws.append("\(write.word) not seen after it had ended")
                }
            }
        }
        return flaws
    }
}
