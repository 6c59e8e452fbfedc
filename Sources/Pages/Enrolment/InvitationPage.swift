package import Foundation
import Releases

/// The page of an invitation's link, from which a tester identifies their device to the team.
package struct InvitationPage: Page {
    package let chrome: PageChrome
    let title: String
    /// The form that asks for a name; nil if the invitation has it.
    let form: NameForm?
    let team: String?
    let profileURL: String
    let pageURL: String
    let expiry: String
    let inAppBrowser: InstallPage.InAppBrowser?
    let desktop: InstallPage.Desktop?

    /// - Parameters:
    ///   - tester: the tester's name; nil for an invitation for many, which asks for a name.
    ///   - team: the inviting team's name; nil if nothing is published yet.
    ///   - expires: when the invitation expires.
    ///   - date: the current time.
    ///   - links: the targets of the page's links.
    ///   - name: an input that is not a valid name; nil for none.
    ///   - suggestion: the name of the person who has signed in, for the field; nil for none.
    ///   - visitor: the kind of browser, which decides the hints.
    ///   - chrome: the page's header and footer.
    package init(
        tester: String?,
        team: String?,
        expires: Date,
        at date: Date,
        links: InvitationLinks,
        refusing name: String? = nil,
        suggesting suggestion: String? = nil,
        visitor: Visitor,
        chrome: PageChrome,
    ) {
        title =
            tester.map { chrome.words.text("invitation.title", ["tester": $0]) }
            ?? chrome.words.text("invitation.join")
        form =
            tester == nil
            ? NameForm(
                profileURL: links.profile,
                typed: name ?? suggestion ?? "",
                isRefused: name != nil,
            ) : nil
        self.team = team
        profileURL = links.profile
        pageURL = links.page
        expiry = chrome.words.text(
            "invitation.expiry",
            [
                "date": chrome.words.day(expires),
                "distance": chrome.words.distance(to: expires, from: date),
            ],
        )
        inAppBrowser = InstallPage.InAppBrowser(visitor, "browser.enrol", in: chrome.words)
        desktop =
            visitor.wantsCode
            ? links.code.map { InstallPage.Desktop(qr: $0, pageURL: links.page) } : nil
        self.chrome = chrome
    }
}

extension InvitationPage {
    /// Asks for the tester's name.
    struct NameForm: Sendable {
        let profileURL: String
        let typed: String
        let isRefused: Bool
        let nameLimit = "\(DeviceRegister.nameLimit)"
    }
}

/// The targets of the links of an ``InvitationPage``.
package struct InvitationLinks: Sendable {
    package let page: String
    package let profile: String
    /// The page's QR code as SVG, for visitors on a computer.
    package let code: String?

    package init(page: String, profile: String, code: String?) {
        self.page = page
        self.profile = profile
        self.code = code
    }
}
