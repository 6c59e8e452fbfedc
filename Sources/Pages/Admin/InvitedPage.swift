package import Foundation
import Releases

/// The link, its code and six digits of a fresh invitation: shown once, kept nowhere.
package struct InvitedPage: AdminPage {
    package let admin: AdminChrome
    let tester: String
    let secrets: Secrets?
    let codeURL: String
    let validity: String
    let posterURL: String?
    let invitationsURL: String

    /// - Parameters:
    ///   - tester: whom it is for.
    ///   - secrets: what to hand over; nil once it was shown.
    ///   - places: how many devices it lets in.
    ///   - codeURL: where the digits are typed.
    ///   - expires: when the link ends.
    ///   - invitationsURL: the way on.
    ///   - admin: what surrounds the page.
    package init(
        tester: String,
        secrets: Secrets?,
        places: Int = 1,
        codeURL: String,
        expires: Date,
        invitationsURL: String,
        admin: AdminChrome,
    ) {
        self.admin = admin
        self.tester = tester
        self.secrets = secrets
        self.codeURL = codeURL
        let devices = places == 1 ? "one device" : "\(places) devices"
        validity = "Valid for \(devices) until \(Wording.day(expires))."
        posterURL = places > 1 ? secrets.map { $0.link + "/poster" } : nil
        self.invitationsURL = invitationsURL
    }

    /// What opens the invitation.
    package struct Secrets: Sendable {
        let link: String
        /// The link as a drawing, SVG.
        let qr: String
        /// As in `123 456`.
        let digits: String
        /// An e-mail with the link, to be addressed.
        let mailURL: String

        package init(link: String, qr: String, digits: String) {
            self.link = link
            self.qr = qr
            self.digits = digits
            let subject = InstallLink.percentEncoded("Test our app")
            let text = InstallLink.percentEncoded(
                "Open this link on your iPhone or iPad, in Safari:\n\n\(link)\n"
            )
            mailURL = "mailto:?subject=\(subject)&body=\(text)"
        }
    }
}
