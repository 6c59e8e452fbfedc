package import Identifiers

extension Pipeline {
    /// Steps in a row that run in the same place.
    package struct Stretch: Sendable, Equatable {
        package let place: Place
        /// Their places among the steps of the pipeline, rising.
        package fileprivate(set) var steps: [Int]

        /// What a runner must have that runs them; nil for the server.
        package var labels: [RunnerLabel]? {
            if case .runner(let labels) = place { labels } else { nil }
        }
    }

    /// The steps that are run, in stretches.
    ///
    /// - Parameter isRun: whether a step is run; one that is not divides nothing.
    /// - Returns: them, in order; none where no step is run.
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
