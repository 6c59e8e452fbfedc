/// Lets one call at a time through, in the order in which they came.
actor CallGate {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Waits until no other call is inside; each return is followed by one ``leave()``.
    func enter() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
