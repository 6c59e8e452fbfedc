import Bytes
package import Problems

/// An error in a pipeline, with its position.
package struct PipelineFlaw: ReportableError, Equatable {
    /// From 1; 0 if unknown, and likewise the column.
    package let line: Int
    package let column: Int
    package let reason: String

    package var description: String {
        guard line > 0 else { return "the pipeline is not valid: \(reason)" }
        let place = column > 0 ? "line \(line), column \(column)" : "line \(line)"
        return "the pipeline is not valid at \(place): \(reason)"
    }

    package var id: String { "mirror.bad-pipeline" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "see docs/ci/pipeline.md for the allowed keys" }
}
