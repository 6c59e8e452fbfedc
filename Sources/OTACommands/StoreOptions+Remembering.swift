import Releases
import Store

extension StoreOptions {
    /// Saves settings in the store, so that later commands need not repeat them.
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
