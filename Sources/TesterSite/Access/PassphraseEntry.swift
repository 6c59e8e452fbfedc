import Access
import Bundles
import Cryptography
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Pages
import Releases
import SiteServices
import Store

/// Checks the passphrase of an app and gives the browser access; reads the store.
struct PassphraseEntry: Sendable {
    /// Seconds that a browser is let in.
    private static let sessionTime = Session.Kind.passphrase.lifetime
    /// Seconds that it is known to have been let in once: its guesses are counted apart.
    private static let proofTime = 180 * 86_400
    /// Seconds that a form may stay open.
    private static let formTime = Session.Kind.form.lifetime

    let site: Site

    /// The form, and the cookie by which it is known to come from a page of ours.
    func form(
        of app: AppRecord,
        for visit: TesterRequest,
        problem: PageProblem? = nil,
        icon: String?,
    ) throws -> CachedResponse {
        let known = visit.session(.form, .form)
        guard let session = known ?? fresh() else { throw Refusal.unavailable("no form") }
        let page = PassphrasePage(
            name: app.title,
            iconURL: icon,
            formCode: site.sessions.formCode(for: session),
            problem: problem,
            chrome: visit.chrome,
        )
        let cookie =
            known == nil
            ? SiteCookie.form.setting(
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

    /// Tries a passphrase; takes a while.
    ///
    /// - Returns: the field that lets the browser in from now on; nil for the wrong words.
    /// - Throws: ``Refusal/tooManyGuesses(wait:)`` for an address that guesses, and for one whose turn
    ///   comes later because many guess.
    func open(
        _ app: AppRecord,
        with words: String,
        for visit: TesterRequest,
        from address: String,
    ) throws -> String? {
        let guesser = Guesser(at: "passphrase \(app.bundleIdentifier)", from: address)
        let name = app.bundleIdentifier
        try site.guesses.check(guesser, at: site.now)
        let knewOne =
            visit.wasSession(.app(name), .passphrase, within: Self.proofTime)?
            .subject == name.rawValue
        try site.guesses.admit(to: name, knewOne: knewOne, from: address, at: site.now)
        let isRight: Bool
        do {
            isRight =
                try app.passphrase.map { hash in
                    try site.guesses.slowly { try hash.matches(words) }
                } ?? false
        } catch {
            site.guesses.forgive(name, knewOne: knewOne, from: address)
            throw error
        }
        guard isRight, let hash = app.passphrase else {
            site.guesses.failed(guesser, at: site.now)
            return nil
        }
        site.guesses.forgive(name, knewOne: knewOne, from: address)
        site.guesses.succeeded(guesser)
        let session = Session(
            kind: .passphrase,
            subject: app.bundleIdentifier.rawValue,
            generation: hash.generation,
            expires: site.now.addingTimeInterval(TimeInterval(Self.sessionTime)),
        )
        guard let session else { throw Refusal.unavailable("no session") }
        return SiteCookie.app(app.bundleIdentifier).setting(
            site.sessions.value(of: session),
            for: Self.proofTime,
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
