import Bytes
package import Problems

/// Why an archive was refused: the rule, the place and the details.
package struct ZipRefusal: ReportableError, Equatable {
    package let rule: ZipRule
    /// The entry's path, or the record of the format; safe to print, at most 200 characters.
    package let place: String
    /// One lower-case clause; safe to print.
    package let detail: String

    package init(_ rule: ZipRule, at place: String, _ detail: String) {
        self.rule = rule
        self.place = place
        self.detail = detail
    }

    init(_ rule: ZipRule, at entry: ZipEntry, _ detail: String) {
        self.init(rule, at: PrintableText(escaping: entry.path).text, detail)
    }

    package var description: String { "\(place): \(detail)" }

    /// What the creator of the archive can do, as one sentence.
    package var fix: String { rule.fix }
}

extension ZipRefusal {
    package var id: String { rule.rawValue }
    package var kind: Problem.Kind { .invalid }
}

extension ZipRefusal {
    static let endRecord = "end of central directory"
    static let directory = "central directory"

    init(_ failure: SourceFailure, at place: String) {
        self.init(.unreadable, at: place, failure.description)
    }
}
