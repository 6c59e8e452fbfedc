package import Store

/// The problems of its store that a running server knows of.
package struct StoreDamage: Sendable, Equatable {
    package let problems: [StoreProblem]
    /// Whether everything was checked since the server started, so that anything that is not among the
    /// problems is intact.
    package let isComplete: Bool

    package init(_ problems: [StoreProblem], isComplete: Bool) {
        self.problems = problems
        self.isComplete = isComplete
    }
}
