import Symbols

/// How much of a report is shown: a dSYM of a stranger may have names of megabytes, and a report 50,000 frames.
extension SymbolicatedReport {
    /// Frames of each stack that are shown.
    package struct Extent: Sendable, Equatable {
        package internal(set) var exception = 0
        /// Of each thread, in the order of the report.
        package internal(set) var threads: [Int]
    }

    /// Bytes that the frames may come to, as ``text`` shows them.
    package static let shownBytes = 8 << 20
    /// Characters of a name that are shown; `…` stands for the rest.
    package static let shownCharacters = 2_000
    /// Bytes that a row takes beside its names.
    private static let rowBytes = 100

    /// What is shown: the stack of the exception and of the thread that crashed first, then the others in their
    /// order, for as long as there is room.
    package var extent: Extent {
        var extent = Extent(threads: report.threads.map { _ in 0 })
        var room = Self.shownBytes
        extent.exception = fitting(report.exceptionFrames, &room)
        let crashed = report.threads.indices.filter { report.threads[$0].isCrashed }
        let others = report.threads.indices.filter { !report.threads[$0].isCrashed }
        for place in crashed + others {
            extent.threads[place] = fitting(report.threads[place].frames, &room)
        }
        return extent
    }

    /// How many frames of a stack there is room for, from its top.
    private func fitting(_ stack: [CrashReport.Frame], _ room: inout Int) -> Int {
        var count = 0
        for (position, frame) in stack.enumerated() {
            let image = frame.image.map { Self.cost(of: report.images[$0].name) } ?? 0
            let found = names(of: frame, at: position)
            let rows = found.map { source in
                Self.cost(of: source.function) + Self.cost(of: source.place ?? "")
            }
            let names = found.isEmpty ? Self.cost(of: frame.symbol ?? "") : rows.reduce(0, +)
            let cost = names + max(1, found.count) * (image + Self.rowBytes)
            guard cost <= room else {
                // What comes later does not stand in place of what was left out.
                room = 0
                break
            }
            room -= cost
            count += 1
        }
        return count
    }

    private static func cost(of name: String) -> Int {
        min(name.utf8.count, 4 * shownCharacters)
    }

    /// A name as it is shown.
    package static func shown(_ name: String) -> String {
        let scalars = name.unicodeScalars
        guard name.utf8.count > shownCharacters,
            let end = scalars.index(
                scalars.startIndex,
                offsetBy: shownCharacters,
                limitedBy: scalars.endIndex,
            ), end < scalars.endIndex
        else { return name }
        return String(scalars[..<end]) + "…"
    }
}
