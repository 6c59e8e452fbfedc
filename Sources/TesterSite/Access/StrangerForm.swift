import Access
import Cryptography
import Foundation
import HTTPTypes
import Releases
import SiteServices

/// Forgery protection for forms that need no sign-in: a cookie for the browser, and a code in the form
/// that is valid only with this cookie.
struct StrangerForm: Sendable {
    /// Seconds for which a form is valid.
    private static let time = Session.Kind.form.lifetime

    let site: Site

    /// Returns the session of the browser's form cookie; checked before the form is read.
    ///
    /// - Throws: ``Refusal/forgedForm`` if there is none.
    func session(of visit: TesterRequest) throws(Refusal) -> Session {
        guard let session = visit.session(.form, .form) else { throw .forgedForm }
        return session
    }

    /// Checks that the form has the code of this browser's form cookie.
    ///
    /// - Throws: ``Refusal/forgedForm``.
    func check(_ form: FormBody, of session: Session) throws(Refusal) {
        guard let code = form["form"], site.sessions.isFormCode(code, of: session) else {
            throw .forgedForm
        }
    }

    /// Returns the code for a form, and the cookie that proves that the form came from one of our pages;
    /// no cookie for a browser that has one.
    ///
    /// - Throws: ``Refusal/unavailable(_:)``.
    func begin(for visit: TesterRequest) throws(Refusal) -> (code: String, cookie: String?) {
        let known = visit.session(.form, .form)
        guard let session = known ?? fresh() else { throw .unavailable("no form") }
        let cookie =
            known == nil
            ? SiteCookie.form.setting(
                site.sessions.value(of: session),
                for: Self.time,
                path: site.links.base.path,
            ) : nil
        return (site.sessions.formCode(for: session), cookie)
    }

    private func fresh() -> Session? {
        Session(
            kind: .form,
            subject: randomBytes(16).map { String($0, radix: 16) }.joined(separator: "-"),
            expires: site.now.addingTimeInterval(TimeInterval(Self.time)),
        )
    }
}
