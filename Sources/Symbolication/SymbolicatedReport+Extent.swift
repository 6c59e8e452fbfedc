import Symbols

/// Limits how much of a report is shown: untrusted symbols may have names of megabytes, and a report
/// 50,000 frames.
extension SymbolicatedReport {
    /// The number of frames shown of each stack.
    package struct Extent: Sendable, Equatable {
        package internal(set) var exception = 0
        /// For each thread, in the order of the report.
        package internal(set) var threads: [Int]
    }

    /// The maximum size of the shown frames in bytes, in the form of ``text``.
    package static let shownBytes = 8 << 20
    /// The maximum number of characters shown of a name; the rest becomes `…`.
    package static let shownCharacters = 2_000
    /// The size of a row without its names, in bytes.
    private static let rowBytes = 100

    /// The frames to show: first those of the exception and of the crashed thread, then of the other
    /// threads in order, as long as there is room.
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

    /// The number of frames from the top of a stack for which there is room.
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
                // Later frames must not take the place of omitted ones.
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

    /// A name in the form in which it is shown.
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
