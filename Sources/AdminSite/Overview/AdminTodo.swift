import APIDocuments
import Administration
import Identifiers
import Notices
import Pages
import Releases

/// What needs an admin's attention, with the page on which it is resolved.
struct AdminTodo {
    let visit: AdminRequest

    func items(_ timeline: ExpiryTimeline) throws -> [DashboardPage.Todo] {
        try AttentionSearch(visit.administration).entries(timeline).map { entry in
            let (url, action) = target(of: entry)
            return DashboardPage.Todo(
                tone: tone(of: entry.level),
                title: entry.title,
                detail: entry.detail,
                url: url,
                action: action,
            )
        }
    }

    private func tone(of level: AttentionEntry.Level) -> String {
        switch level {
        case .urgent: "bad"
        case .warning: "warn"
        case .waiting: "accent"
        }
    }

    /// Where it is resolved, and what the button there is called.
    private func target(of entry: AttentionEntry) -> (url: String, action: String) {
        let links = visit.links
        switch entry.place {
        case .activity: return (links.activity, "Activity")
        case .teams: return (links.teams, "Teams")
        case .webhooks: return (links.notices, "Review")
        case .jobs: return (entry.job.map(links.job) ?? links.jobs, "See the job")
        case .devices: return (links.devices, "Review")
        case .tokens: return (links.tokens, "Review")
        case .profiles: return (links.profiles, "Review")
        case .releases:
            let app = entry.app.flatMap { Slug($0) }
            let release = entry.release.flatMap { ReleaseIdentifier($0) }
            guard let app, let release else { return (links.apps, "Apps") }
            return (links.release(release, of: app), "See devices")
        }
    }
}
