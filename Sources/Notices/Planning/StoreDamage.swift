package import Store

/// What a running server knows to be wrong with its store.
package struct StoreDamage: Sendable, Equatable {
    package let problems: [StoreProblem]
    /// Whether everything was checked since the server started: what is not among the problems is
    /// whole then.
    package let isComplete: Bool

    package init(_ problems: [StoreProblem], isComplete: Bool) {
        self.problems = problems
        self.isComplete = isComplete
    }
}
