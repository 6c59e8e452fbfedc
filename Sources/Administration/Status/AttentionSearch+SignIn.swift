import APIDocuments
import Access
import Identifiers
import Releases
import Store

extension AttentionSearch {
    /// Apps that only signed-in testers may open, if the settings let no tester sign in.
    func closedApps() throws -> [AttentionGroup.Item] {
        let closed = apps.filter { $0.access == .signIn }
        guard !closed.isEmpty, try store.signInSettings()?.testers == nil else { return [] }
        return closed.sorted { $0.title < $1.title }.map { app in
            var entry = AttentionEntry(
                .urgent,
                "No one can open \(app.title)",
                "Testers must sign in to open it, but sign-in is not set up for testers: use "
                    + "“ota sign-in set --testers”, or change who can open the app.",
                at: .releases,
            )
            entry.app = app.slug.rawValue
            return AttentionGroup.Item(
                entry,
                subject: app.title,
                note: "Testers must sign in to open it.",
            )
        }
    }
}
