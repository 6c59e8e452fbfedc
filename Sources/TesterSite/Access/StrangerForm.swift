import Access
import Cryptography
import Foundation
import HTTPTypes
import Releases
import SiteServices

/// A form for anyone: the cookie that a browser gets with it, and the code in it that only goes with this
/// cookie.
struct StrangerForm: Sendable {
    /// Seconds that a form may stay open.
    private static let time = Session.Kind.form.lifetime

    let site: Site

    /// What the browser was given its form for; asked before the form is read.
    ///
    /// - Throws: ``Refusal/forgedForm``.
    func session(of visit: TesterRequest) throws(Refusal) -> Session {
        guard let session = visit.session(.form, .form) else { throw .forgedForm }
        return session
    }

    /// Whether the form is one that this browser was given.
    ///
    /// - Throws: ``Refusal/forgedForm``.
    func check(_ form: FormBody, of session: Session) throws(Refusal) {
        guard let code = form["form"], site.sessions.isFormCode(code, of: session) else {
            throw .forgedForm
        }
    }

    /// The code for a form, and the cookie by which it is known to come from a page of ours; no cookie for a
    /// browser that has one.
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
