import Bytes
import Identifiers

/// Parses the text format of a crash report, as iOS before 15 and Xcode write it.
struct CrashText {
    private let lines: [Substring]
    private var report = CrashReport()
    private var stacks: [Stack] = []

    private struct Stack {
        /// The thread's number; nil for the stack of the exception.
        let number: Int?
        var title = ""
        var isCrashed = false
        var lines: [Line] = []
    }

    private struct Line {
        let image: String
        let address: UInt64
        /// The text after the address.
        let rest: String
    }

    init(_ text: String) {
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    private enum Part { case head, stacks, images }

    /// - Throws: ``CrashReportRefusal`` for a text without threads.
    mutating func read() throws(CrashReportRefusal) -> CrashReport {
        var part = Part.head
        var titles: [Int: String] = [:]
        var frames = 0
        for line in lines {
            if line.hasPrefix("Binary Images:") { part = .images }
            switch part {
            case .images: try readImage(line)
            case .head, .stacks:
                if let stack = Self.stack(beginningWith: line) {
                    part = .stacks
                    if let number = stack.number, !stack.title.isEmpty {
                        titles[number] = stack.title
                    } else {
                        guard stacks.count < SymbolLimits.threads else {
                            throw .tooMany("threads", limit: SymbolLimits.threads)
                        }
                        stacks.append(stack)
                    }
                } else if part == .head {
                    readFact(line)
                } else if !stacks.isEmpty {
                    let found = Self.lines(in: line)
                    frames += found.count
                    guard frames <= SymbolLimits.frames else {
                        throw .tooMany("frames", limit: SymbolLimits.frames)
                    }
                    stacks[stacks.count - 1].lines += found
                }
            }
        }
        guard !stacks.isEmpty else { throw .unknown(reason: "it lists no thread") }
        let order = report.images.indices.sorted {
            report.images[$0].base < report.images[$1].base
        }
        for stack in stacks {
            let frames = stack.lines.map { frame($0, order) }
            guard let number = stack.number else {
                report.exceptionFrames = frames
                continue
            }
            report.threads.append(
                CrashReport.Thread(
                    number: number,
                    title: titles[number] ?? "",
                    isCrashed: stack.isCrashed,
                    frames: frames,
                )
            )
        }
        return report
    }

    private mutating func readFact(_ line: Substring) {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, report.facts.count < 60, parts[0].utf8.count < 60 else {
            let note = CrashLine.plain(line)
            if !note.allSatisfy(\.isWhitespace), report.notes.count < 50 {
                report.notes.append(note)
            }
            return
        }
        let value = CrashLine.plain(parts[1].drop { $0 == " " || $0 == "\t" })
        guard !value.isEmpty else { return }
        report.facts.append(.init(label: CrashLine.plain(parts[0]), value: value))
    }

    /// Recognises `Thread 0 Crashed:`, `Thread 0:`, `Thread 0 name:  …` and `Last Exception Backtrace:`.
    private static func stack(beginningWith line: Substring) -> Stack? {
        if line.hasPrefix("Last Exception Backtrace") { return Stack(number: nil) }
        guard line.hasPrefix("Thread ") else { return nil }
        let rest = line.dropFirst(7)
        let digits = rest.prefix(while: \.isNumber)
        guard let number = Int(digits), number >= 0 else { return nil }
        let words = rest.dropFirst(digits.count)
        if words.hasPrefix(" name:") {
            return Stack(
                number: number,
                title: CrashLine.plain(words.dropFirst(6).drop { $0 == " " }),
            )
        }
        if words.hasPrefix(" Crashed:") { return Stack(number: number, isCrashed: true) }
        return words.hasPrefix(":") ? Stack(number: number) : nil
    }

    /// Parses one frame, or several addresses in parentheses.
    private static func lines(in line: Substring) -> [Line] {
        if line.hasPrefix("(0x") {
            return line.dropFirst().prefix { $0 != ")" }.split(separator: " ").compactMap { word in
                number(word).map { Line(image: "", address: $0, rest: "") }
            }
        }
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count >= 3, words[0].allSatisfy(\.isNumber),
            let place = words.dropFirst(2).firstIndex(where: { number($0) != nil }),
            let address = number(words[place])
        else { return [] }
        return [
            Line(
                image: words[1..<place].joined(separator: " "),
                address: address,
                rest: words[(place + 1)...].joined(separator: " "),
            )
        ]
    }

    private static func number(_ word: Substring) -> UInt64? {
        word.hasPrefix("0x") ? UInt64(word.dropFirst(2), radix: 16) : nil
    }

    /// Parses `0x104a8c000 - 0x104a97fff Shop arm64  <0e32eb0d…> /path`.
    private mutating func readImage(_ line: Substring) throws(CrashReportRefusal) {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count >= 5, words[1] == "-", let base = Self.number(words[0]),
            let end = Self.number(words[2]), end >= base,
            let mark = words.firstIndex(where: { $0.hasPrefix("<") && $0.hasSuffix(">") }),
            mark >= 5
        else { return }
        guard report.images.count < SymbolLimits.images else {
            throw .tooMany("images", limit: SymbolLimits.images)
        }
        var name = words[3..<(mark - 1)].joined(separator: " ")
        if name.hasPrefix("+") { name.removeFirst() }
        report.images.append(
            CrashReport.Image(
                uuid: ImageUUID(String(words[mark].dropFirst().dropLast())),
                name: CrashLine.plain(name),
                path: CrashLine.plain(words[(mark + 1)...].joined(separator: " ")),
                architecture: CrashLine.plain(words[mark - 1]),
                base: base,
                size: (end - base) &+ 1,
            )
        )
    }

    private func frame(_ line: Line, _ order: [Int]) -> CrashReport.Frame {
        // Finds the last image that begins at or before the address.
        var low = 0
        var high = order.count
        while low < high {
            let middle = (low + high) / 2
            if report.images[order[middle]].base <= line.address {
                low = middle + 1
            } else {
                high = middle
            }
        }
        let candidate = low > 0 ? order[low - 1] : nil
        let image = candidate.flatMap { index in
            report.images[index].holds(line.address - report.images[index].base) ? index : nil
        }
        // `0x104a8c000 + 123` is not a symbol.
        let isNamed = !line.rest.isEmpty && !line.rest.hasPrefix("0x")
        return CrashReport.Frame(
            image: image,
            offset: line.address - (image.map { report.images[$0].base } ?? 0),
            address: line.address,
            symbol: isNamed ? CrashLine.plain(line.rest) : nil,
        )
    }
}
