import Bytes
import Pages
import Releases
import Symbolication
import Symbols

extension CrashPage.Content {
    /// The most frames of a thread, and the most threads besides the crashed one, on the page.
    private static let mostFrames = 200
    private static let mostThreads = 60
    /// The most rows of the whole page, and the most characters of a name.
    private static let mostRows = 2000
    private static let mostCharacters = 200

    /// Creates the page's content from a report.
    init(_ result: SymbolicatedReport) {
        self.init()
        let report = result.report
        let count = result.count
        process = report.process
        isNamed = count.named == count.all && count.all > 0
        let frames = Wording.count(count.all, "frame")
        summary =
            if count.all == 0 {
                "No frames are in the app or its libraries."
            } else if isNamed {
                "Symbolicated all frames of the app (\(count.all.grouped))."
            } else {
                "Symbolicated \(count.named.grouped) of \(frames) of the app."
            }
        facts = report.facts.map { ($0.label, Self.short($0.value)) }
        notes = report.notes.map(Self.short)
        var room = Self.mostRows
        if !report.exceptionFrames.isEmpty {
            stacks.append(
                Self.stack(
                    "Where the exception was thrown",
                    report.exceptionFrames,
                    true,
                    result,
                    &room,
                )
            )
        }
        let others = report.threads.filter { !$0.isCrashed }.prefix(Self.mostThreads)
        for thread in report.threads.filter(\.isCrashed).prefix(1) + others {
            let name =
                thread.isCrashed
                ? "Thread \(thread.number), which crashed" : "Thread \(thread.number)"
            stacks.append(
                Self.stack(
                    thread.title.isEmpty ? name : "\(name): \(Self.short(thread.title))",
                    thread.frames,
                    thread.isCrashed,
                    result,
                    &room,
                )
            )
        }
        images = result.imageStandings.filter { $0.standing != .ofSystem }.prefix(100).map {
            let (state, tone) = $0.standing.chip
            return CrashPage.Image(
                name: Self.short($0.image.name),
                detail: $0.image.uuid.map { "\($0)" } ?? "no UUID",
                state: state,
                tone: tone,
            )
        }
        remark = result.remark
    }

    private static func stack(
        _ heading: String,
        _ frames: [CrashReport.Frame],
        _ isCrashed: Bool,
        _ result: SymbolicatedReport,
        _ room: inout Int,
    ) -> CrashPage.Stack {
        var shown: [CrashPage.Frame] = []
        var count = 0
        for (position, frame) in frames.prefix(mostFrames).enumerated() where room > 0 {
            let rows = rows(of: frame, at: position, result).prefix(room)
            shown += rows
            room -= rows.count
            count += 1
        }
        let more = frames.count - count
        return CrashPage.Stack(
            heading: heading,
            isCrashed: isCrashed,
            frames: shown,
            more: more > 0 ? "\(Wording.count(more, "more frame")) below." : nil,
        )
    }

    private static func short(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > mostCharacters else { return text }
        return String(String.UnicodeScalarView(scalars.prefix(mostCharacters))) + "…"
    }

    private static func rows(
        of frame: CrashReport.Frame,
        at position: Int,
        _ result: SymbolicatedReport,
    ) -> [CrashPage.Frame] {
        let image = short(frame.image.map { result.report.images[$0].name } ?? "no image")
        let found = result.names(of: frame, at: position)
        guard !found.isEmpty else {
            return [
                CrashPage.Frame(
                    number: "\(position)",
                    name: short(result.plainName(of: frame)),
                    place: image,
                    isNamed: false,
                    isInlined: false,
                )
            ]
        }
        return found.map { source in
            CrashPage.Frame(
                number: "\(position)",
                name: short(source.function),
                place: [source.place.map(short), image].compactMap(\.self)
                    .joined(separator: " · "),
                isNamed: true,
                isInlined: source.isInlined,
            )
        }
    }
}

extension SymbolicatedReport.Standing {
    fileprivate var chip: (state: String, tone: String) {
        switch self {
        case .named: ("Symbolicated", "good")
        case .missing: ("No dSYM", "warn")
        case .ofSystem: ("System", "quiet")
        case .unidentified: ("No UUID", "warn")
        case .failed: ("Unreadable", "bad")
        }
    }
}
