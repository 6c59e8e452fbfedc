import Bytes

/// What the server knows, for tests that compare.
struct ControlReport {
    let state: AppleState
    let log: [JSONValue]
    let violations: [String]
    let traps: Int
    let contracts: [String]

    var document: JSONValue {
        .object([
            "devices": .list(state.devices.map(state.document(of:))),
            "bundleIds": .list(state.bundleIDs.map(state.document(of:))),
            "certificates": .list(state.certificates.map(state.document(of:))),
            "profiles": .list(
                state.profiles.map { state.document(of: $0, hasContent: false) }
            ),
            "requests": .list(log),
            "violations": JSONValue(texts: violations),
            "trapsLeft": .integer(traps),
            "contracts": JSONValue(texts: contracts),
        ])
    }
}
