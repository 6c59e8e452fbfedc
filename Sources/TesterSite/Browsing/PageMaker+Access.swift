import Access
import Foundation
import HTTPServing
import HTTPTypes
import Identifiers
import NIOCore
import Pages
import Releases
import SiteServices
import Store

/// Access to an app, and the pages that visitors without access see.
extension PageMaker {
    /// Returns the app and what the visitor has proven.
    ///
    /// - Throws: ``RefusedEntry`` with a page for a visitor without access.
    func open(_ slug: Slug) throws -> (app: AppRecord, visitor: ProvenVisitor) {
        guard let app = try site.store.app(slug: slug) else { throw try nothing() }
        switch try visit.entry(to: app) {
        case .granted(let visitor): return (app, visitor)
        case .passphrase: throw RefusedEntry(answer: try form(of: app))
        case .signIn: throw try signIn(to: app)
        case .enrolment(let device): throw RefusedEntry(answer: try members(app, device))
        case .hidden: throw try nothing()
        }
    }

    /// Returns the error for a visitor to whom the app is hidden.
    ///
    /// If testers can sign in, it contains a page to do that. An app that does not exist has the same
    /// page.
    func nothing() throws -> any Error {
        guard try visit.testerRight() == nil, let settings = try site.store.signInSettings(),
            settings.testers != nil
        else { return Refusal.notFound }
        if let renewal = try renewal() { return renewal }
        return RefusedEntry(
            answer: try answer(.nothing, settings.name, Refusal.notFound.status)
        )
    }

    /// Returns the page with the sign-in button of an app that requires signing in.
    private func signIn(to app: AppRecord) throws -> any Error {
        guard try visit.testerRight() == nil else { return Refusal.notFound }
        let settings = try site.store.signInSettings()
        if settings?.testers != nil, let renewal = try renewal() { return renewal }
        return RefusedEntry(
            answer: try answer(
                .app(name: app.title, iconURL: try smallIcon(of: app)),
                settings?.testers == nil ? nil : settings?.name,
                .forbidden,
            )
        )
    }

    /// Returns a redirect to the provider for a visitor whose session has expired; if the provider does
    /// not renew it, they return to the button.
    private func renewal() throws -> RefusedEntry? {
        guard let page = visit.page, try visit.mayRenew() else { return nil }
        var fields = ResponseFields.common
        fields[.location] = TesterSignIn(site: site).startURL(leadingTo: page, isSilent: true)
        fields[.cacheControl] = "private, no-store"
        return RefusedEntry(
            answer: CachedResponse(
                route: "/apps/{slug}",
                status: .seeOther,
                fields: fields,
                body: ByteBuffer(),
            )
        )
    }

    private func answer(
        _ reason: TesterSignInPage.Reason,
        _ provider: String?,
        _ status: HTTPResponse.Status,
    ) throws -> CachedResponse {
        let page = TesterSignInPage(
            reason,
            provider: provider,
            signInURL: TesterSignIn(site: site).startURL(leadingTo: visit.page ?? .start),
            chrome: visit.chrome,
        )
        return try site.pages.answer(page, status: status, route: "/apps/{slug}")
    }

    func entered(_ slug: Slug) throws -> (app: AppRecord, visitor: ProvenVisitor) {
        guard let app = try site.store.app(slug: slug) else { throw Refusal.notFound }
        return (app, try visit.enter(app))
    }

    /// Returns the passphrase form.
    func form(
        of app: AppRecord,
        problem: PageProblem? = nil,
        status: HTTPResponse.Status = .forbidden,
    ) throws -> CachedResponse {
        try PassphraseEntry(site: site).form(
            of: app,
            for: visit,
            problem: problem,
            icon: try smallIcon(of: app),
            status: status,
        )
    }

    private func members(_ app: AppRecord, _ device: Device?) throws -> CachedResponse {
        let page = MembersPage(
            name: app.title,
            iconURL: try smallIcon(of: app),
            device: device,
            way: try device.map {
                try progress.progress(of: $0, toAllOf: app).steps(in: visit.words)
            },
            enrolURL: site.links.enrol,
            eventsURL: try eventsURL(of: app, for: device),
            chrome: visit.chrome,
        )
        return try site.pages.answer(page, status: .forbidden, route: "/apps/{slug}")
    }

    /// Returns the icon as a `data:` URL, because its path requires access.
    private func smallIcon(of app: AppRecord) throws -> String? {
        // Nothing of a channel with its own groups is shown.
        guard let channel = app.defaultChannel, app.channelGroups?[channel] == nil,
            let release = try site.store.unlessDamaged({
                try site.store.release(on: channel, of: app)
            })
        else { return nil }
        let bytes = try site.store.unlessDamaged {
            try site.store.bytes(of: release.icons.small, atMost: 1 << 20)
        }
        return bytes.map { "data:image/png;base64,\(Data($0).base64EncodedString())" }
    }
}

/// The response for a visitor without access.
struct RefusedEntry: Error {
    let answer: CachedResponse
}
