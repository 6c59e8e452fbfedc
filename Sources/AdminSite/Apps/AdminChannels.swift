import APIDocuments
import Access
import Foundation
import HTTPServing
import Hummingbird
import Identifiers
import Pages
import Problems
import Releases
import SiteServices
import Store

/// Ending a channel and changing its access, from an app's page.
///
/// A token that can publish an app can also end its channels.
struct AdminChannels: Sendable {
    let gate: AdminGate

    /// Answers `GET /admin/apps/{slug}/channels/{channel}/end` with the consequences.
    @Sendable func askToEnd(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try context.slug
        let channel = try context.channelName
        return try await gate.page(request, context, in: .apps, require: .read) { visit in
            let app = try visit.app(slug)
            try SignIn.require(visit.principal, .publish, on: app.bundleIdentifier)
            guard app.channels[channel] != nil else { throw Refusal.notFound }
            try ReleaseRefusal.checkEnd(of: channel, in: app)
            return ConfirmPage(
                "End the channel \(channel) of \(app.title)?",
                consequences: [
                    "Its page says that it has ended.",
                    "No one can install the releases that only this channel offered. Downloads in "
                        + "progress finish, and installed copies stay.",
                ],
                action: MessagePage.Action(
                    title: "End channel",
                    url: visit.links.pages(of: app.slug).end(of: channel),
                ),
                cancelURL: visit.links.app(app.slug),
                admin: try visit.chrome(),
            )
        }
    }

    /// Answers `GET /admin/apps/{slug}/channels/{channel}/access`.
    @Sendable func accessForm(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let slug = try context.slug
        let channel = try context.channelName
        return try await gate.page(request, context, in: .apps) { visit in
            ChannelAccessPage(
                channel,
                of: try visit.app(slug),
                links: visit.links,
                admin: try visit.chrome(),
            )
        }
    }

    /// Answers `POST /admin/apps/{slug}/channels/{channel}/access`.
    @Sendable func changeAccess(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let slug = try context.slug
        let channel = try context.channelName
        return try await gate.action(request, context, in: .apps) { visit, form in
            let app = try visit.app(slug)
            let text = (form["groups"] ?? "").lowercased().filter { !$0.isWhitespace }
            do {
                let names = GroupNames(text)
                guard text.isEmpty || names != nil else {
                    throw Problem(form: "groups", "give \(GroupNames.kindOfText)")
                }
                let access = names.map { AppRecord.ChannelAccess.groups($0) } ?? .app
                let name = app.bundleIdentifier.rawValue
                try visit.perform(ChangeChannelAccess(channel.rawValue, of: name, to: access))
                return .done("Access saved.", goingTo: visit.links.app(app.slug))
            } catch {
                guard let problem = Problem(ofForm: error) else { throw error }
                let page = ChannelAccessPage(
                    channel,
                    of: app,
                    typed: text,
                    problem: PageProblem(problem),
                    links: visit.links,
                    admin: try visit.chrome(),
                )
                return .again(page, problem.kind.status)
            }
        }
    }

    /// Answers `POST /admin/apps/{slug}/channels/{channel}/end`.
    @Sendable func end(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try context.slug
        let channel = try context.channelName
        return try await gate.action(request, context, in: .apps, require: .read) { visit, _ in
            let app = try visit.app(slug)
            try SignIn.require(visit.principal, .publish, on: app.bundleIdentifier)
            let ended = try visit.perform(
                EndChannel(channel.rawValue, of: app.bundleIdentifier.rawValue)
            )
            return .done(
                ended.changed ? "Channel ended." : "The channel had already ended.",
                goingTo: visit.links.app(app.slug),
            )
        }
    }
}
