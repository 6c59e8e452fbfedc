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

/// Who has access to an app, and what other visitors see.
extension PageMaker {
    /// The app and what the visitor has proven, for who may come in.
    ///
    /// - Throws: ``RefusedEntry`` with the page for who may not.
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

    /// What a visitor finds where there is nothing for them.
    ///
    /// It is a way to sign in, where there may be something for testers who have: the same page for an app
    /// that does not exist.
    func nothing() throws -> any Error {
        guard try visit.testerRight() == nil, let settings = try site.store.signInSettings(),
            settings.testers != nil
        else { return Refusal.notFound }
        if let renewal = try renewal() { return renewal }
        return RefusedEntry(
            answer: try answer(.nothing, settings.name, Refusal.notFound.status)
        )
    }

    /// The button by which testers come to an app that is for those who sign in.
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

    /// The way to a new session for someone whose session has run out; where the provider knows them no
    /// longer, it leads back to the button.
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

    /// Where the passphrase is typed.
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

    /// The icon as data: its address is for who may come in.
    private func smallIcon(of app: AppRecord) throws -> String? {
        // Of a channel with groups of its own nothing is shown.
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

/// What a visitor without access sees.
struct RefusedEntry: Error {
    let answer: CachedResponse
}
