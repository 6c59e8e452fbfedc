import Bytes

/// The server's state, for tests.
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
            "profileDevices": .object(
                Dictionary(uniqueKeysWithValues: state.profiles.map { ($0.id, udids(in: $0)) })
            ),
            "profileBundles": .object(
                Dictionary(uniqueKeysWithValues: state.profiles.map { ($0.id, bundle(of: $0)) })
            ),
            "requests": .list(log),
            "violations": JSONValue(texts: violations),
            "trapsLeft": .integer(traps),
            "contracts": JSONValue(texts: contracts),
        ])
    }

    private func bundle(of profile: AppleState.Profile) -> JSONValue {
        .text(state.bundleIDs.first { $0.id == profile.bundleID }?.identifier ?? "")
    }

    private func udids(in profile: AppleState.Profile) -> JSONValue {
        JSONValue(
            texts: state.devices.filter { profile.devices.contains($0.id) }.map(\.udid)
        )
    }
}
