import Bytes

/// What is wrong with a pipeline, and where.
package struct PipelineFlaw: Error, Equatable, CustomStringConvertible {
    package let line: Int
    package let column: Int
    package let reason: String

    package var description: String {
        line > 0
            ? "the pipeline is wrong at line \(line), column \(column): \(reason)"
            : "the pipeline is wrong: \(reason)"
    }

    package var id: String { "mirror.bad-pipeline" }
    package var mend: String { "see docs/ci/pipeline.md for what a pipeline may say" }
}
