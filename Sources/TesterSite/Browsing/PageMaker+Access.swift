import Foundation
import HTTPServing
import HTTPTypes
import Identifiers
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
        guard let app = try site.store.app(slug: slug) else { throw Refusal.notFound }
        switch try visit.entry(to: app) {
        case .granted(let visitor): return (app, visitor)
        case .passphrase: throw RefusedEntry(answer: try form(of: app))
        case .enrolment(let device): throw RefusedEntry(answer: try members(app, device))
        case .hidden: throw Refusal.notFound
        }
    }

    func entered(_ slug: Slug) throws -> (app: AppRecord, visitor: ProvenVisitor) {
        guard let app = try site.store.app(slug: slug) else { throw Refusal.notFound }
        return (app, try visit.enter(app))
    }

    /// Where the passphrase is typed.
    func form(
        of app: AppRecord,
        problem: PageProblem? = nil,
    ) throws -> CachedResponse {
        try PassphraseEntry(site: site)
            .form(of: app, for: visit, problem: problem, icon: try smallIcon(of: app))
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
