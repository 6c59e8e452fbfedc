package import Foundation

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

    package init(instance: String, created: Date) {
        self.instance = instance
        self.created = created
        anchors = []
    }
}
