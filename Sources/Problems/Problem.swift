/// Why a request failed, in the same words for command line, API and pages.
package struct Problem: Hashable, Sendable {
    /// A dotted identifier for scripts, stable across releases, such as `store.unreadable`.
    package let id: String
    /// Determines the HTTP status and the exit status.
    package let kind: Kind
    /// One lower-case clause without a full stop that names the object.
    package let message: String
    /// The file, field or option concerned; empty if there is none.
    package let place: String
    /// How to fix it, as an instruction; empty if nothing can be done.
    package let fix: String
    /// How to fix it in a browser; nil if only a command line helps.
    package let pageFix: String?

    /// - Parameters:
    ///   - id: the stable, dotted identifier.
    ///   - kind: the kind of problem.
    ///   - message: one lower-case clause.
    ///   - place: the file, field or option concerned.
    ///   - fix: how to fix it.
    ///   - pageFix: how to fix it in a browser; empty if nothing helps there; nil for `fix`, unless that
    ///     names commands or URLs of the API.
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

    /// Text in fixes that only help on a command line or in a program.
    private static let words = ["`ota ", ": ota ", " --", "/public/openapi.yaml", "/api/v1/"]

    /// A fix that also helps in a browser; empty for others.
    private static func hint(_ fix: String) -> String {
        words.contains(where: fix.contains) ? "" : fix
    }
}

/// Commands and routes throw it directly when no more specific error exists.
extension Problem: ReportableError {
    package var problem: Problem { self }
    package var description: String { message }
}
