import Foundation

extension Catalogue {
    /// Inserts lines in front of those in this month's journal, from the first of the month until the first
    /// release; a tenth of them are releases.
    func addJournal(_ count: Int, apps: Int) throws {
        let folder = store + "/activity"
        guard let name = try FileManager.default.contentsOfDirectory(atPath: folder).max(),
            let newest = try? read("activity/\(name)"),
            let text = value(of: "date", in: newest),
            let end = try? Date(text, strategy: .iso8601),
            let start = try? Date(text.prefix(8) + "01T00:00:00Z", strategy: .iso8601)
        else { throw BenchmarkFailure.unexpected(program: "ota publish", output: folder) }
        try write("", to: "activity/\(name)")
        let journal = try FileHandle(forWritingTo: URL(filePath: "\(folder)/\(name)"))
        defer { try? journal.close() }
        let piece = 1000
        for first in stride(from: 0, to: count, by: piece) {
            let share = Double(first) / Double(count)
            let date = start.addingTimeInterval(end.timeIntervalSince(start) * share)
            let moment = date.formatted(.iso8601)
            let lines = (first..<min(first + piece, count)).map { number in
                let (event, subject) =
                    number % 10 == 0
                    ? ("published", "1.0.0-1") : ("deviceRenamed", "Tester \(number % 97)")
                return """
                    {"actor":"ci","app":"\(app(number % apps))","date":"\(moment)",\
                    "event":"\(event)","subject":"\(subject)"}

                    """
            }
            try journal.write(contentsOf: Data(lines.joined().utf8))
        }
        try journal.write(contentsOf: Data(newest.utf8))
    }
}
