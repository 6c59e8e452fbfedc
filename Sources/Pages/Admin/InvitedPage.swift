package import Foundation
import Releases

/// The link, QR code and six digits of a new invitation: shown once, and not stored.
package struct InvitedPage: AdminPage {
    package let admin: AdminChrome
    let tester: String
    let secrets: Secrets?
    let codeURL: String
    let validity: String
    let posterURL: String?
    let invitationsURL: String

    /// - Parameters:
    ///   - tester: the tester's name.
    ///   - secrets: the secrets to hand over; nil once they were shown.
    ///   - places: how many devices it admits.
    ///   - codeURL: the page where the digits are entered.
    ///   - expires: when the link expires.
    ///   - invitationsURL: the list of invitations.
    ///   - admin: the page's header and navigation.
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

    /// The secrets that open the invitation.
    package struct Secrets: Sendable {
        let link: String
        /// The link as a QR code in SVG.
        let qr: String
        /// As in `123 456`.
        let digits: String
        /// A `mailto:` URL with the link, without a recipient.
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
