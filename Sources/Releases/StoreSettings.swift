package import Essentials

/// What the whole store shares: `store.json`.
package struct StoreSettings: Codable, Sendable, Equatable {
    package var schema = 1
    /// Names this store for good; made when it is created.
    package let instance: String
    package let created: Date
    /// Where testers reach the server; remembered from `--base-url`.
    package var baseURL: BaseURL?
    /// Further authorities to trust, PEM; remembered from `--anchor`.
    package var anchors: [String]
    /// Which releases stay of apps that have no rules of their own; nil for all of them.
    package var retention: RetentionRules?
    /// The documents of the registers that were begun, in order: one that is absent later is lost.
    package private(set) var registers: [String]?

    package init(instance: String, created: Date) {
        self.instance = instance
        self.created = created
        anchors = []
    }

    package func hasBegun(_ register: String) -> Bool { registers?.contains(register) ?? false }

    package mutating func begin(_ register: String) {
        guard !hasBegun(register) else { return }
        registers = ((registers ?? []) + [register]).sorted()
    }

    package mutating func forget(_ register: String) { registers?.removeAll { $0 == register } }
}
