package import Problems

/// A rule's pattern over a path: a POSIX extended regular expression, searched for anywhere.
///
/// Patterns come with the app, so they are a stranger's. They run as a set of states, without ever
/// going back, and count each step against a budget: the work is at most states times bytes.
/// Collating symbols, equivalence classes and back-references are refused.
package struct PathPattern: Hashable, Sendable {
    package let source: String
    private let program: PatternProgram

    /// - Throws: ``MalformedPattern`` for what is no expression, and for what is too large.
    package init(_ source: String) throws(MalformedPattern) {
        var allowance = PatternProgram.greatestVisits
        try self.init(source, allowance: &allowance)
    }

    /// Reads a pattern whose parts are taken from `allowance`, which several patterns may share.
    init(_ source: String, allowance: inout Int) throws(MalformedPattern) {
        var parser = PatternParser(Array(source.utf8))
        let node = try parser.expression()
        program = try PatternProgram(node, allowance: &allowance)
        self.source = source
    }

    /// Whether the pattern is found anywhere in `path`; nil when the budget does not last.
    ///
    /// Each step takes one from `budget`, which several searches may share.
    package func matches(_ path: some Collection<UInt8>, budget: inout Int) -> Bool? {
        program.matches(path, budget: &budget)
    }
}

/// Why a pattern cannot be used, and at which byte of it.
package struct MalformedPattern: ReportableError, Hashable, Sendable {
    package let offset: Int
    package let reason: String

    package var description: String { "\(reason) at offset \(offset) of the pattern" }
}

extension MalformedPattern {
    package var id: String { "seal.malformed-pattern" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "sign the app again" }
}
