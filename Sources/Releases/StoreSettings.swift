package import Essentials

/// The settings of the whole store: `store.json`.
package struct StoreSettings: Codable, Sendable, Equatable {
    package var schema = 1
    /// The permanent identifier of this store, generated when it is created.
    package let instance: String
    package let created: Date
    /// The URL at which testers reach the server, saved from `--base-url`.
    package var baseURL: BaseURL?
    /// Additional trusted certificate authorities in PEM, saved from `--trusted-ca`.
    package var anchors: [String]
    /// The default retention rules, for apps without their own; nil to keep everything.
    package var retention: RetentionRules?
    /// The sorted paths of the registers that have been created: one that is missing later is lost.
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
