import Releases
import Store

extension StoreOptions {
    /// Keeps what later commands on the same store need not be told again.
    func remember(baseURL: BaseURL?, anchors: [String], in store: OTAStore) throws {
        guard baseURL != nil || !anchors.isEmpty else { return }
        try store.changeSettings { settings in
            if let baseURL { settings.baseURL = baseURL }
            for anchor in anchors where !settings.anchors.contains(anchor) {
                settings.anchors.append(anchor)
            }
        }
    }
}
