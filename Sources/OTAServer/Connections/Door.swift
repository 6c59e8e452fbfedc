/// What every connection of a port shares.
struct Door: Sendable {
    let limits: ServerLimits
    let hosts: HostNames
    let answers: AnswersInMemory
    let ledger: Ledger
    let proxies: Set<String>
    let refusals: @Sendable (RefusedRequest) -> StoredAnswer

    var metrics: Metrics { ledger.metrics }
}
