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

/// Checks an app's passphrase and gives the browser access; reads the store.
struct PassphraseEntry: Sendable {
    /// Seconds for which a browser has access.
    private static let sessionTime = Session.Kind.passphrase.lifetime
    /// Seconds for which a browser is known to have had access: its guesses are counted separately.
    private static let proofTime = 180 * 86_400

    let site: Site

    /// Returns the passphrase form, with the cookie that proves that it came from one of our pages.
    func form(
        of app: AppRecord,
        for visit: TesterRequest,
        problem: PageProblem? = nil,
        icon: String?,
        status: HTTPResponse.Status = .forbidden,
    ) throws -> CachedResponse {
        let form = try StrangerForm(site: site).begin(for: visit)
        let page = PassphrasePage(
            name: app.title,
            iconURL: icon,
            formCode: form.code,
            problem: problem,
            chrome: visit.chrome,
        )
        return try site.pages.answer(
            page,
            status: status,
            cookie: form.cookie,
            route: "/apps/{slug}",
        )
    }

    /// Checks a passphrase, which is slow on purpose.
    ///
    /// - Returns: the `Set-Cookie` value that gives the browser access; nil for a wrong passphrase.
    /// - Throws: ``Refusal/tooManyGuesses(wait:)`` for an address that has guessed wrongly, and for one
    ///   that has to wait because many addresses guess; ``Refusal/unavailable(_:)``, and `StoreFailure`.
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
}
