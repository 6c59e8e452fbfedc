/// Why something was not done, as command line, API and pages say it alike.
package struct Problem: Hashable, Sendable {
    /// Stable across releases and dotted, such as `store.unreadable`: what scripts compare.
    package let id: String
    /// Decides the status of HTTP and the exit status.
    package let kind: Kind
    /// One lower-case clause without a full stop that names the thing.
    package let message: String
    /// The file, field or option that it is about; empty where there is nothing to name.
    package let place: String
    /// What to do about it, as an instruction; empty where there is nothing to do.
    package let fix: String
    /// What to do about it in a browser; nil where only a command line helps.
    package let pageFix: String?

    /// - Parameters:
    ///   - id: stable and dotted.
    ///   - kind: what sort of problem it is.
    ///   - message: one lower-case clause.
    ///   - place: what it is about.
    ///   - fix: what to do about it.
    ///   - pageFix: what to do about it in a browser; empty where nothing helps there; nil for the
    ///     `fix`, if it names neither commands nor addresses of the API.
    package init(
        id: String,
        kind: Kind,
        message: String,
        place: String = "",
        fix: String = "",
        pageFix: String? = nil,
    ) {
        self.id = id
        self.kind = kind
        self.message = message
        self.place = place
        self.fix = fix
        let hint = pageFix ?? Self.hint(fix)
        self.pageFix = hint.isEmpty ? nil : hint
    }

    /// Words of fixes that help at a command line or to a program alone.
    private static let words = ["`ota ", ": ota ", " --", "/public/openapi.yaml", "/api/v1/"]

    /// A fix that helps in a browser too.
    private static func hint(_ fix: String) -> String {
        words.contains(where: fix.contains) ? "" : fix
    }
}

/// A command or a route throws one where nothing below has an error of its own for it.
extension Problem: ReportableError {
    package var problem: Problem { self }
    package var description: String { message }
}
