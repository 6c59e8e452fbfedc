import Bytes
import Synchronization

/// The results of the sinks of one pass; thread-safe.
final class SurveyFindings: Sendable {
    /// Maximum memory for the evidence on all executables in bytes.
    private static let greatestWeight = 64 << 20

    private struct State {
        var facts: [RelativePath: FileFacts] = [:]
        var executables: [RelativePath: ExecutableEvidence] = [:]
        var weight = 0
    }

    private let state = Mutex(State())

    func note(_ facts: FileFacts, at path: RelativePath) {
        state.withLock { $0.facts[path] = facts }
    }

    func note(_ executable: ExecutableEvidence) {
        let weight = executable.weight
        state.withLock { state in
            state.weight += weight
            state.executables[executable.path] =
                state.weight <= Self.greatestWeight
                ? executable : ExecutableEvidence(path: executable.path, content: .tooLarge)
        }
    }

    var all: (facts: [RelativePath: FileFacts], executables: [RelativePath: ExecutableEvidence]) {
        state.withLock { ($0.facts, $0.executables) }
    }
}
