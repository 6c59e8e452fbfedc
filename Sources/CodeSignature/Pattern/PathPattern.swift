package import Problems

/// A seal rule's pattern for paths: a POSIX extended regular expression that matches anywhere in a path.
///
/// Patterns come from the app and are untrusted. They run as a set of states without backtracking, and
/// every step is deducted from a budget: the work is at most states times bytes. Collating symbols,
/// equivalence classes and back-references are refused.
package struct PathPattern: Hashable, Sendable {
    package let source: String
    private let program: PatternProgram

    /// - Throws: ``MalformedPattern`` for an invalid or too large expression.
    package init(_ source: String) throws(MalformedPattern) {
        var allowance = PatternProgram.greatestVisits
        try self.init(source, allowance: &allowance)
    }

    /// Compiles a pattern; its nodes are deducted from `allowance`, which several patterns may share.
    init(_ source: String, allowance: inout Int) throws(MalformedPattern) {
        var parser = PatternParser(Array(source.utf8))
        let node = try parser.expression()
        program = try PatternProgram(node, allowance: &allowance)
        self.source = source
    }

    /// Whether the pattern matches anywhere in `path`; nil when the budget is exhausted.
    ///
    /// Each step is deducted from `budget`, which several searches may share.
    package func matches(_ path: some Collection<UInt8>, budget: inout Int) -> Bool? {
        program.matches(path, budget: &budget)
    }
}

/// Why a pattern cannot be used, and the offset of the error in bytes.
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
