import Testing

/// Asks again and again until the answer is yes, for at most `limit`: what another process did must
/// show within a second.
func eventually(
    within limit: Duration = .seconds(1),
    _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ isSo: () async throws -> Bool,
) async throws {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while true {
        // The answer counts that was asked for in time, however long it took on a busy machine.
        let isLast = clock.now >= end
        if try await isSo() { return }
        if isLast { break }
        try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("not within \(limit): \(what)", sourceLocation: sourceLocation)
}
