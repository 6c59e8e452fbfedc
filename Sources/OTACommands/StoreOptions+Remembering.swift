import Releases
import Store

extension StoreOptions {
    /// Saves settings in the store, so that later commands need not repeat them.
    func remember(baseURL: BaseURL?, anchors: [String], in store: OTAStore) throws {
        guard baseURL != nil || !anchors.isEmpty else { return }
        // A change, even without a difference, would make servers read the settings again.
        let known = try store.settings()
        guard
            baseURL != nil && baseURL != known.baseURL
                || anchors.contains(where: { !known.anchors.contains($0) })
        else { return }
        try store.changeSettings { settings in
            if let baseURL { settings.baseURL = baseURL }
            for anchor in anchors where !settings.anchors.contains(anchor) {
                settings.anchors.append(anchor)
            }
        }
    }
}
