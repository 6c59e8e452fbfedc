import APIDocuments
import Access
import Bundles
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import NIOCore
import Releases
import SiteServices
import Store

/// Informs installed apps about newer builds.
///
/// Anyone who may see the app's install page gets an answer, and so does anyone with a token that may
/// read the app. All others get 404.
struct UpdateRoutes: Sendable {
    let site: Site
    let installs: InstallServices
    let references: DeviceReferences

    /// Answers `GET /api/v1/apps/{app}/update?version=&build=&channel=`.
    ///
    /// The answer for everyone is cached for a moment, as pages are.
    @Sendable func update(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("app")
        let question = try UpdateQuestion(request)
        let visit = try await TesterRequest(request, in: site, references).confirmed()
        let site = site
        let make = { @Sendable () async throws in
            try await site.work {
                guard let app = try app(named: name) else { throw Refusal.notFound }
                return try answer(
                    question,
                    of: app,
                    for: try visit.enter(app),
                    visit.testerSession,
                )
            }
        }
        do {
            guard let target = request.head.path, !visit.hasCookies else {
                return try await make().response(to: request)
            }
            return try await site.answers.keep(
                for: target,
                lasting: Site.freshness,
                making: make,
            ).response(to: request)
        } catch Refusal.notFound where request.headers[.authorization] != nil {
            let principal = try await SignIn(site: site).bearer(request, context)
            return try await site.work {
                guard let app = try app(named: name),
                    principal.may(.read, on: app.bundleIdentifier)
                else { throw Refusal.notFound }
                return try answer(question, of: app, for: ProvenVisitor(mayRead: true))
            }.response(to: request)
        }
    }

    private func app(named text: String) throws -> AppRecord? {
        if let identifier = BundleIdentifier(text), let app = try site.store.app(identifier) {
            return app
        }
        return try Slug(text.lowercased()).flatMap { try site.store.app(slug: $0) }
    }

    private func answer(
        _ question: UpdateQuestion,
        of app: AppRecord,
        for visitor: ProvenVisitor,
        _ session: String? = nil,
    ) throws -> CachedResponse {
        if let wanted = question.channel, !app.admits(visitor, to: wanted) {
            throw Refusal.notFound
        }
        let channel = question.channel ?? app.defaultChannel(for: visitor)
        let release = try channel.flatMap { try newer(than: question, of: app, on: $0) }
        let isTooOld =
            app.minimumVersion?.isAbove(version: question.version, build: question.build) ?? false
        let document = UpdateDocument(
            channel: channel?.rawValue,
            minimumVersion: app.minimumVersion?.description,
            mandatory: isTooOld && release != nil,
            update: release.map {
                build($0, of: app, on: question.channel, for: visitor, session)
            },
        )
        var fields = ResponseFields.of(type: "application/json", cache: "private, max-age=60")
        fields[.eTag] = try DocumentTag(of: document).text
        fields[.vary] = "Authorization, Cookie"
        return CachedResponse(
            route: UpdateDocument.path,
            status: .ok,
            fields: fields,
            body: ByteBuffer(string: try WireJSON.document(document)),
        )
    }

    /// Returns a channel's release if it is newer and can be installed now.
    ///
    /// - Throws: ``Refusal/notFound`` for a channel that never existed.
    private func newer(
        than question: UpdateQuestion,
        of app: AppRecord,
        on channel: ChannelName,
    ) throws -> Release? {
        guard !app.isClosed(channel, at: site.now) else { return nil }
        guard let release = try site.store.release(on: channel, of: app) else {
            throw Refusal.notFound
        }
        let isOver = release.installsUntil.map { $0 <= site.now } ?? false
        guard release.isNewer(thanVersion: question.version, build: question.build),
            release.withdrawal == nil, !isOver,
            try !installs.isRotten(release, in: site.store)
        else { return nil }
        return release
    }

    private func build(
        _ release: Release,
        of app: AppRecord,
        on channel: ChannelName?,
        for visitor: ProvenVisitor,
        _ session: String?,
    ) -> UpdateDocument.Build {
        UpdateDocument.Build(
            version: release.version,
            build: release.build,
            notes: release.notes,
            published: release.published,
            size: release.size,
            minimumOS: release.minimumOS,
            page: site.links.app(app.slug, channel: channel),
            install: link(to: release, of: app, for: visitor, session),
        )
    }

    /// Returns a link that installs the release; nil if it is only for certain devices or people, and the
    /// visitor is not one of them.
    private func link(
        to release: Release,
        of app: AppRecord,
        for visitor: ProvenVisitor,
        _ session: String?,
    ) -> String? {
        let device = visitor.device
        let holder = ProvenVisitor(device: device, passphrase: .onLink, tester: visitor.tester)
        guard app.admits(holder, to: release) else { return nil }
        let component = installs.capabilities.component(
            for: release,
            device: device.map { site.sessions.reference(to: $0.udid) },
            session: app.needsSignIn(visitor, to: release) ? session : nil,
            at: site.now,
        )
        return site.links.install(component).installLink()
    }
}
