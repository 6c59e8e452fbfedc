import Foundation
import Pages
import Releases
import Testing

/// The admin's pages, with fixed texts except for those that a test changes.
extension ExamplePages {
    /// All of them as HTML, by file name.
    func adminPages(ending: String = "") throws -> [String: String] {
        var pages = [
            "sign-in": try html(signIn()),
            "sign-in-refused": try html(signIn(refused: true)),
            "sign-in-provider": try html(signIn(byProvider: true)),
            "sign-in-link": try html(
                SignInLinkPage(
                    actionURL: "/sign-in/link/link~ana~00",
                    name: word("ana"),
                    styleURL: "public/admin.css",
                    chrome: chrome,
                )
            ),
            "admin-message": try html(adminMessage()),
            "dashboard": try html(dashboard()),
            "dashboard-empty": try html(emptyDashboard()),
            "attention": try html(attention()),
            "search": try html(search(finding: true)),
            "search-none": try html(search(finding: false)),
            "activity": try html(activity()),
            "profiles": try html(profiles()),
            "profiles-empty": try html(profiles(isEmpty: true)),
            "tokens": try html(tokens()),
            "token-made": try html(tokens(made: true)),
            "notices": try html(notices()),
            "notices-empty": try html(notices(isEmpty: true)),
            "webhook-made": try html(notices(made: true)),
            "token-refused": try html(tokens(isRefused: true)),
            "jobs": try html(jobs()),
            "jobs-none": try html(jobs(isEmpty: true)),
            "job-running": try html(runningJob()),
            "job-waiting": try html(waitingJob()),
        ]
        for (name, html) in try thingPages() { pages[name] = html }
        for (name, html) in try mirrorPages() { pages[name] = html }
        for (name, html) in try runnerPages() { pages[name] = html }
        return Dictionary(
            uniqueKeysWithValues: pages.map { ($0.key + ending + ".html", $0.value) }
        )
    }

    func admin(
        _ section: AdminSection?,
        isReader: Bool = false,
        flash: String? = nil,
        banner: AdminChrome.Banner? = nil,
    ) throws -> AdminChrome {
        AdminChrome(
            site: chrome,
            publicURL: { "public/" + $0 },
            reader: AdminChrome.Reader(
                name: word("ana"),
                rights: isReader ? "Viewer of com.vforsh.browsey" : "Admin",
                sections: AdminSection.allCases.filter { !isReader || $0.isForReaders },
                current: section,
                links: try adminLinks(),
                formCode: "0123456789abcdef",
                eventsURL: isReader ? nil : "/events?after=2026-11:4096",
                waiting: [.devices: isReader ? 0 : 2],
            ),
            banner: banner,
            flash: flash.map { AdminChrome.Flash(word($0)) },
        )
    }

    func adminLinks() throws -> AdminLinks {
        AdminLinks(base: try BaseURL("https://ota.example.com"))
    }

    func adminMessage() throws -> AdminMessagePage {
        AdminMessagePage(
            title: word("Nothing was changed"),
            message: word("All 100 slots for iPhone are used this membership year."),
            fix: word("Wait for the renewal on 14 March 2027."),
            backURL: "/admin/devices",
            admin: try admin(
                .devices,
                flash: "Ana’s iPhone was approved.",
                banner: AdminChrome.Banner(
                    tone: "warn",
                    title: word("Browsey expires in 12 days"),
                    message: word("Its profile ends on 3 December 2026."),
                    url: "/admin/profiles",
                ),
            ),
        )
    }
}
