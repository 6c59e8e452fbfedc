import Testing

/// Polls until a condition is true, for at most `limit`: what another process did must show within a second.
func eventually(
    within limit: Duration = .seconds(1),
    _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ isSo: () async throws -> Bool,
) async throws {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while true {
        // A check that began in time counts, no matter how long it took on a busy machine.
        let isLast = clock.now >= end
        if try await isSo() { return }
        if isLast { break }
        try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("not within \(limit): \(what)", sourceLocation: sourceLocation)
}
