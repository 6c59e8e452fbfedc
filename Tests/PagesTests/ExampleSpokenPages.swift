import Bundles
import Foundation
import Images
import Pages

extension ExamplePages {
    /// Every page for testers without texts from tests, by file name.
    func spoken() throws -> [String: String] {
        let code = try QRCode(encoding: "https://ota.example.com/apps/browsey").svg(label: "QR")
        var desk = self
        desk.visitor = .other
        desk.code = code
        var android = desk
        android.visitor = .android
        var inApp = self
        inApp.visitor = .inAppBrowser(app: "Slack")
        var unnamed = self
        unnamed.visitor = .inAppBrowser(app: nil)
        var trial = self
        trial.days = 20
        trial.trust = .privateAuthority(name: "Sample CA")
        var expired = self
        expired.days = -3
        var quiet = self
        quiet.notes = ""
        quiet.chrome = chrome
        let pages = [
            "install.html": try html(quiet.install()),
            "desktop.html": try html(desk.install()),
            "android.html": try html(android.install()),
            "in-app.html": try html(inApp.install()),
            "unnamed.html": try html(unnamed.install()),
            "private.html": try html(trial.install()),
            "expired.html": try html(expired.install()),
            "start.html": try html(trial.start()),
            "empty.html": try html(empty()),
            "history.html": try html(history()),
            "trust.html": try html(trustPage()),
            "enrol.html": try html(enrol()),
            "invitation.html": try html(invitation()),
            "invitation-many.html": try html(invitation(isForMany: true, refusing: "–")),
            "poster.html": try html(poster()),
            "poster-any.html": try html(poster(app: nil)),
            "groups.html": try html(ownGroups("beta-testers", "qa")),
            "groups-none.html": try html(ownGroups()),
            "feedback.html": try html(feedback()),
            "feedback-refused.html": try html(feedback(isRefused: true)),
            "start-member.html": try html(startOfMember()),
            "invitation-desktop.html": try html(desk.invitation(team: nil)),
            "invitation-in-app.html": try html(inApp.invitation(team: nil)),
            "enrolled-waiting.html": try html(enrolled(.waiting)),
            "enrolled-approved.html": try html(enrolled(.approved)),
            "guide.html": try html(guide()),
        ]
        return pages.merging(
            try personal().filter {
                $0.key != "passphrase-wrong.html" && !$0.key.hasPrefix("message")
            }
        ) { page, _ in page }
    }
}
