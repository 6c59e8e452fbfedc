/// The request to add a runner.
package struct NewRunner: Codable, Sendable, Equatable {
    package let name: String
    /// The mirrors whose builds it may take.
    package let mirrors: [String]
    /// Nil for `mac` alone.
    package var labels: [String]?

    package init(name: String, mirrors: [String], labels: [String]? = nil) {
        self.name = name
        self.mirrors = mirrors
        self.labels = labels
    }
}

/// What is changed of a runner; nil leaves it as it is, and a list replaces the former one.
package struct RunnerChange: Codable, Sendable, Equatable {
    package var labels: [String]?
    package var mirrors: [String]?

    package init(labels: [String]? = nil, mirrors: [String]? = nil) {
        self.labels = labels
        self.mirrors = mirrors
    }
}
