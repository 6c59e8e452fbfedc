package import Identifiers

extension Pipeline {
    /// Steps in a row that run in the same place.
    package struct Stretch: Sendable, Equatable {
        package let place: Place
        /// Their indices among the steps of the pipeline, ascending.
        package fileprivate(set) var steps: [Int]

        /// The labels that a runner needs to run them; nil for the server.
        package var labels: [RunnerLabel]? {
            if case .runner(let labels) = place { labels } else { nil }
        }
    }

    /// The steps to run, in stretches.
    ///
    /// - Parameter isRun: whether a step is run; a step that is not run does not divide a stretch.
    /// - Returns: the stretches in order; none if no step is run.
    package func stretches(where isRun: (Step) -> Bool) -> [Stretch] {
        var stretches: [Stretch] = []
        for (index, step) in steps.enumerated() where isRun(step) {
            if stretches.last?.place == step.place {
                stretches[stretches.count - 1].steps.append(index)
            } else {
                stretches.append(Stretch(place: step.place, steps: [index]))
            }
        }
        return stretches
    }
}
