import Bytes
import Enrolment
import Foundation
import HTTPServing
import Hummingbird
import Images
import Pages
import Releases
import SiteServices
import Store

/// Invitations for many devices: their posters, and the names that testers give their devices.
extension EnrolRoutes {
    /// Answers `GET /enrol/{token}/poster`: a page to print, for anyone who has the link.
    @Sendable func poster(_ request: Request, _ context: RouteContext) async throws -> Response {
        let token = try token(context)
        let site = site
        let chrome = site.pages.chrome(for: request)
        return try await refusalsAsPages(request) {
            try await site.work {
                let invitation = try Self.open(token, in: site)
                let app = try invitation.app.flatMap { try site.store.app($0) }
                let url = site.links.invitation(token.text)
                let page = PosterPage(
                    app: app?.title,
                    team: try Self.team(in: site.store),
                    url: url,
                    code: try QRCode(encoding: url, correction: .medium)
                        .svg(label: chrome.words.text("enrol.tab")),
                    expires: invitation.expires,
                    chrome: chrome,
                )
                return try site.pages.answer(page, route: "/enrol/{token}/poster")
            }.response(to: request)
        }
    }

    /// Returns a valid device name from a tester's text; nil if it is not valid.
    static func name(typed text: String?) -> String? {
        guard let text, text.utf8.count <= ChallengeAuthority.nameLimit else { return nil }
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return PrintableText.isName(name, limit: DeviceRegister.nameLimit) ? name : nil
    }
}
