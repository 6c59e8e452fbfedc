/// A build's log in parts: before the first step, each step, and after the last.
struct BuildLogParts {
    /// The prefix of a step's name in the log.
    static let mark = "── "

    /// As HTML, by the index of the step.
    private(set) var steps: [Int: String] = [:]
    private(set) var preparation = ""
    private(set) var artifacts = ""
    /// Whether the line that shows why the build failed is marked.
    private(set) var hasFailure = false
    /// The step that contains that line.
    private(set) var failedStep: Int?

    private enum Place: Hashable {
        case preparation, step(Int), artifacts
    }

    /// - Parameters:
    ///   - log: the log, or its end.
    ///   - isCut: whether the beginning is missing.
    ///   - names: the steps' names, in order.
    ///   - begun: the index of the last step that has started; nil for none.
    ///   - messages: the error messages, as they appear in the log.
    ///   - failed: the index of the step that failed; nil for none.
    init(
        _ log: String,
        isCut: Bool,
        names: [String],
        begun: Int?,
        messages: [String],
        failed: Int?,
    ) {
        var lines: [(place: Place, text: Substring)] = []
        var place = Place.preparation
        var next = 0
        var isFirst = isCut
        let titles = names.map(Self.title)
        for line in Self.lines(log) {
            if line.utf8.starts(with: Self.mark.utf8) {
                let name = TerminalText.plain(
                    Substring(line.utf8.dropFirst(Self.mark.utf8.count))
                )
                let found = titles.indices.dropFirst(next).first { titles[$0] == name }
                if let found {
                    // Lines before the first title belong to the previous step.
                    if isFirst, found > 0 {
                        lines = lines.map { (.step(found - 1), $0.text) }
                    }
                    isFirst = false
                    place = .step(found)
                    next = found + 1
                    continue
                }
                if name.hasPrefix("artifacts") { place = .artifacts }
            }
            lines.append((place, line))
        }
        if isFirst, let begun {
            lines = lines.map { $0.place == .preparation ? (.step(begun), $0.text) : $0 }
        }
        let failure = Self.failure(in: lines, messages, failed)
        if let failure, case .step(let index) = lines[failure].place { failedStep = index }
        hasFailure = failure != nil
        var terminal = TerminalText()
        var texts: [Place: String] = [:]
        for (index, line) in lines.enumerated() {
            let html = terminal.html(line.text)
            texts[line.place, default: ""] +=
                index == failure ? "<mark id=\"failure\">\(html)</mark>\n" : html + "\n"
        }
        for (place, html) in texts where html.contains(where: { !$0.isWhitespace }) {
            switch place {
            case .preparation: preparation = html
            case .step(let index): steps[index] = html
            case .artifacts: artifacts = html
            }
        }
    }

    /// Splits bytes, because CR LF is a single Swift `Character`.
    private static func lines(_ log: String) -> [Substring] {
        var lines = log.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { Substring($0) }
    }

    /// Returns a step's name as it appears in the log: the first line of what may be a script.
    private static func title(_ name: String) -> String {
        TerminalText.plain(lines(name).first ?? "")
    }

    /// Returns the line that shows the failure: the first that contains a message, else the failed step's
    /// last.
    private static func failure(
        in lines: [(place: Place, text: Substring)],
        _ messages: [String],
        _ failed: Int?,
    ) -> Int? {
        for message in messages where !message.isEmpty {
            let found = lines.firstIndex { TerminalText.plain($0.text).contains(message) }
            if let found { return found }
        }
        guard let failed else { return nil }
        return lines.lastIndex {
            $0.place == .step(failed) && $0.text.contains(where: { !$0.isWhitespace })
        }
    }
}
