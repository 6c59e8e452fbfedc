/// A pattern as an automaton: Thompson's construction, run on all active states at once.
struct PatternProgram: Hashable, Sendable {
    private enum Step: Hashable, Sendable {
        case byte(ByteSet)
        case start
        case end
        case fork(Int, Int)
        case jump(Int)
        case found
    }

    /// The maximum number of states; more than any pattern without repetition counts has.
    private static let greatestSize = 4096
    /// The maximum number of nodes, multiplied by repetition counts; each adds two states at most.
    static let greatestVisits = 4 * greatestSize

    private var steps: [Step] = []

    /// Compiles `node`.
    ///
    /// Its nodes are deducted from `allowance`, even when there are too many.
    init(_ node: PatternNode, allowance: inout Int) throws(MalformedPattern) {
        let most = min(Self.greatestVisits, allowance)
        var visits = most
        defer { allowance -= most - visits }
        try append(node, &visits)
        try append(.found)
    }

    private mutating func append(_ step: Step) throws(MalformedPattern) {
        guard steps.count < Self.greatestSize else {
            throw MalformedPattern(offset: 0, reason: "too many states")
        }
        steps.append(step)
    }

    /// Counts visited nodes: a node without states adds no size, however often it is repeated.
    private mutating func append(
        _ node: PatternNode,
        _ visits: inout Int,
    ) throws(MalformedPattern) {
        visits -= 1
        guard visits > 0 else { throw MalformedPattern(offset: 0, reason: "too many repetitions") }
        switch node {
        case .bytes(let set): try append(.byte(set))
        case .start: try append(.start)
        case .end: try append(.end)
        case .sequence(let parts): for part in parts { try append(part, &visits) }
        case .alternatives(let branches): try append(alternatives: branches, &visits)
        case .repeated(let part, let least, let most):
            for _ in 0..<least { try append(part, &visits) }
            guard let most else { return try append(anyNumberOf: part, &visits) }
            try append(optional: part, times: most - least, &visits)
        }
    }

    private mutating func append(
        alternatives: [PatternNode],
        _ visits: inout Int,
    ) throws(MalformedPattern) {
        var exits: [Int] = []
        for branch in alternatives.dropLast() {
            let fork = steps.count
            try append(.fork(fork + 1, fork + 1))
            try append(branch, &visits)
            exits.append(steps.count)
            try append(.jump(0))
            steps[fork] = .fork(fork + 1, steps.count)
        }
        if let last = alternatives.last { try append(last, &visits) }
        for exit in exits { steps[exit] = .jump(steps.count) }
    }

    private mutating func append(
        anyNumberOf part: PatternNode,
        _ visits: inout Int,
    ) throws(MalformedPattern) {
        let fork = steps.count
        try append(.fork(fork + 1, fork + 1))
        try append(part, &visits)
        try append(.jump(fork))
        steps[fork] = .fork(fork + 1, steps.count)
    }

    private mutating func append(
        optional part: PatternNode,
        times: Int,
        _ visits: inout Int,
    ) throws(MalformedPattern) {
        var forks: [Int] = []
        for _ in 0..<times {
            forks.append(steps.count)
            try append(.fork(0, 0))
            try append(part, &visits)
        }
        for fork in forks { steps[fork] = .fork(fork + 1, steps.count) }
    }
}

extension PatternProgram {
    /// Nil when the budget is exhausted; the budget is then 0.
    func matches(_ text: some Collection<UInt8>, budget: inout Int) -> Bool? {
        guard budget > steps.count else {
            budget = 0
            return nil
        }
        // Even a search that ends at once allocates an entry for each state.
        var run = Run(steps, length: text.count, budget: budget - steps.count)
        defer { budget = max(0, run.budget) }
        var position = 0
        for byte in text {
            if run.enter(0, at: position) || run.advance(over: byte, at: position) { return true }
            guard run.budget > 0 else { return nil }
            position += 1
        }
        return run.enter(0, at: position)
    }

    /// The active states at one position of a text.
    private struct Run {
        let steps: [Step]
        let length: Int
        /// Reduced by one for each state entered, even one that consumes no byte: thousands of those may
        /// lead to no other.
        private(set) var budget: Int
        private(set) var active: [Int] = []
        /// For each state, the last position at which it was entered.
        private var entered: [Int]
        private var pending: [Int] = []

        init(_ steps: [Step], length: Int, budget: Int) {
            self.steps = steps
            self.length = length
            self.budget = budget
            entered = Array(repeating: -1, count: steps.count)
        }

        /// Whether the end of the pattern can be reached from `state` without consuming a byte.
        mutating func enter(_ state: Int, at position: Int) -> Bool {
            pending.append(state)
            while let state = pending.popLast() {
                guard entered[state] != position else { continue }
                entered[state] = position
                budget -= 1
                switch steps[state] {
                case .byte: active.append(state)
                case .start: if position == 0 { pending.append(state + 1) }
                case .end: if position == length { pending.append(state + 1) }
                case .fork(let first, let second): pending += [second, first]
                case .jump(let target): pending.append(target)
                case .found: return true
                }
            }
            return false
        }

        mutating func advance(over byte: UInt8, at position: Int) -> Bool {
            let before = active
            active.removeAll(keepingCapacity: true)
            for state in before {
                guard case .byte(let set) = steps[state], set.contains(byte) else { continue }
                if enter(state + 1, at: position + 1) { return true }
            }
            return false
        }
    }
}
