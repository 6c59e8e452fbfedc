package import Symbols

/// The text format of Apple's reports.
extension SymbolicatedReport {
    /// The whole report, with lines separated by line feeds.
    package var text: String {
        var lines: [String] = []
        let extent = extent
        let width = (report.facts.map(\.label.count).max() ?? 0) + 1
        for fact in report.facts {
            lines.append(Self.padded(fact.label + ":", to: width) + " " + fact.value)
        }
        if !report.notes.isEmpty {
            lines += ["", "Application Specific Information:"] + report.notes
        }
        if !report.exceptionFrames.isEmpty {
            lines += ["", "Last Exception Backtrace:"]
            lines += self.lines(of: report.exceptionFrames, atMost: extent.exception)
        }
        for (thread, count) in zip(report.threads, extent.threads) {
            let crashed = thread.isCrashed ? " Crashed" : ""
            let title = thread.title.isEmpty ? "" : "  \(thread.title)"
            lines += ["", "Thread \(thread.number)\(crashed):\(title)"]
            lines += self.lines(of: thread.frames, atMost: count)
        }
        lines += ["", "Images:"] + imageLines
        if let remark { lines += ["", remark] }
        return lines.joined(separator: "\n")
    }

    /// Why system frames have no names; nil without system frames.
    package var remark: String? {
        guard standings.values.contains(.ofSystem) else { return nil }
        return
            "System frames (UIKit and others) show only image and offset unless the report names "
            + "them: only Apple has their symbols."
    }

    /// The images with frames and their results, in the order of the report.
    package var imageStandings: [(image: CrashReport.Image, standing: Standing)] {
        standings.sorted { $0.key < $1.key }.map { (report.images[$0.key], $0.value) }
    }

    private var imageLines: [String] {
        imageStandings.map { image, standing in
            let base = "0x" + Self.hexadecimal(image.base)
            let uuid = image.uuid.map { "<\($0)>" } ?? "<no UUID>"
            return "\(base) \(image.name) \(image.architecture) \(uuid) \(standing)"
        }
    }

    private func lines(of stack: [CrashReport.Frame], atMost count: Int) -> [String] {
        let frames = stack.prefix(count)
        let names = frames.map { frame in
            frame.image.map { Self.shown(report.images[$0].name) } ?? "???"
        }
        let width = min(names.map(\.count).max() ?? 0, 40)
        let lines = frames.enumerated().flatMap { position, frame -> [String] in
            let address = frame.address.map { "0x" + Self.hexadecimal($0) } ?? "0x?"
            let begin =
                Self.padded("\(position)", to: 4) + Self.padded(names[position], to: width + 2)
                + address + " "
            let found = self.names(of: frame, at: position)
            guard !found.isEmpty else { return [begin + Self.shown(plainName(of: frame))] }
            return found.map { source in
                begin + Self.shown(source.function)
                    + (source.place.map { " (\(Self.shown($0)))" } ?? "")
                    + (source.isInlined ? " [inlined]" : "")
            }
        }
        let rest = stack.count - frames.count
        guard rest > 0 else { return lines }
        return lines + [
            "… \(rest) more \(rest == 1 ? "frame is" : "frames are") not shown: too long"
        ]
    }

    private static func padded(_ text: String, to width: Int) -> String {
        var text = text
        while text.count < width { text.append(" ") }
        return text
    }

    /// Sixteen hexadecimal digits.
    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String("0000000000000000".dropFirst(digits.count)) + digits
    }
}

extension SymbolicatedReport.Standing: CustomStringConvertible {
    package var description: String {
        switch self {
        case .named(let name): "symbolicated with \(name)"
        case .missing: "no matching dSYM"
        case .ofSystem: "system"
        case .unidentified: "no UUID, so no dSYM can match"
        case .failed(let reason): "not symbolicated: \(reason)"
        }
    }
}
