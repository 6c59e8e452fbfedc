package import Problems

/// A query parameter whose value is not allowed, or names nothing in the store.
package struct BadParameter: ReportableError, Equatable {
    package let name: String
    /// What to send instead.
    package let fix: String

    package init(_ name: String, fix: String) {
        self.name = name
        self.fix = fix
    }

    package var id: String { "request.bad-parameter" }
    package var kind: Problem.Kind { .malformed }
    package var place: String { name }
    package var description: String { "the parameter \(name) is not valid" }
}
