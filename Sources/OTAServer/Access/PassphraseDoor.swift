import Access
import Bundles
import Cryptography
import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Releases
import Store

/// How somebody who knows an app's passphrase comes in; reads the store.
struct PassphraseDoor: Sendable {
    /// Seconds that a browser is remembered.
    private static let sessionTime = 30 * 86_400
    /// Seconds that a form may stay open.
    private static let formTime = 86_400

    let site: Site

    /// The form, and the cookie by which it is known to come from a page of ours.
    func form(
        of app: AppRecord,
        for visit: Visit,
        problem: (message: String, mend: String)? = nil,
        icon: String?,
    ) throws -> StoredAnswer {
        let known = visit.session(.form, .form)
        guard let session = known ?? fresh() else { throw Refusal.unavailable("no form") }
        let page = PassphrasePage(
            name: app.title,
            iconURL: icon,
            formCode: site.sessions.formCode(for: session),
            problem: problem,
            chrome: site.pages.chrome,
        )
        let cookie =
            known == nil
            ? Cookie.form.setting(
                site.sessions.value(of: session),
                for: Self.formTime,
                path: site.links.base.path,
            ) : nil
        return try site.pages.answer(
            page,
            status: .forbidden,
            cookie: cookie,
            route: "/apps/{slug}",
        )
    }

    /// Whether the form is one that this browser was given.
    ///
    /// - Throws: ``Refusal/forgedForm``.
    func check(_ form: FormBody, from visit: Visit) throws(Refusal) {
        guard let session = visit.session(.form, .form), let code = form["form"],
            site.sessions.isFormCode(code, of: session)
        else { throw .forgedForm }
    }

    /// Tries a passphrase; takes a while.
    ///
    /// - Returns: the field that lets the browser in from now on; nil for the wrong words.
    /// - Throws: ``Refusal/tooManyGuesses(wait:)`` for an address that guesses.
    func open(_ app: AppRecord, with words: String, from address: String) throws -> String? {
        let guesser = Guesser(at: "passphrase \(app.bundleIdentifier)", from: address)
        try site.guesses.check(guesser, at: site.now)
        guard let hash = app.passphrase,
            try site.guesses.slowly({ try hash.matches(words) })
        else {
            site.guesses.failed(guesser, at: site.now)
            return nil
        }
        site.guesses.succeeded(guesser)
        let session = Session(
            kind: .passphrase,
            subject: app.bundleIdentifier.rawValue,
            generation: hash.generation,
            expires: site.now.addingTimeInterval(TimeInterval(Self.sessionTime)),
        )
        guard let session else { throw Refusal.unavailable("no session") }
        return Cookie.app(app.bundleIdentifier).setting(
            site.sessions.value(of: session),
            for: Self.sessionTime,
            path: site.links.base.path,
        )
    }

    private func fresh() -> Session? {
        Session(
            kind: .form,
            subject: randomBytes(16).map { String($0, radix: 16) }.joined(separator: "-"),
            expires: site.now.addingTimeInterval(TimeInterval(Self.formTime)),
        )
    }
}
