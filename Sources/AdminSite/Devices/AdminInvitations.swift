import APIDocuments
import Access
import Administration
import Bundles
import Enrolment
import Foundation
import HTTPServing
import Hummingbird
import Identifiers
import Images
import Pages
import Problems
import Releases
import SiteServices
import Store

/// Invites testers to enrol their test devices.
struct AdminInvitations: Sendable {
    /// The choices of how long a link is valid, in days.
    private static let validities = [1, 3, 7, 14, 30]
    private static let usualDays = 7

    let gate: AdminGate

    /// Answers `GET /admin/devices/invitations`.
    @Sendable func list(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.page(request, context, in: .devices) { visit in
            let apps = try visit.apps()
            return InvitationsPage(
                invitations: try Self.entries(apps, for: visit),
                form: InvitationForm(
                    sentTo: visit.links.invitations,
                    apps: apps.map {
                        .init(value: $0.slug.rawValue, label: $0.title, isChosen: false)
                    },
                    validities: Self.validities.map { days in
                        .init(
                            value: "\(days)",
                            label: Wording.count(days, "day"),
                            isChosen: days == Self.usualDays,
                        )
                    },
                    hasGroups: try !visit.store.devices().groups.isEmpty,
                ),
                devicesURL: visit.links.devices,
                at: visit.now,
                admin: try visit.chrome(),
            )
        }
    }

    /// Answers `POST /admin/devices/invitations`; the next page shows the link and the code, once.
    @Sendable func invite(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(request, context, in: .devices) { visit, form in
            guard let days = Int(form["valid"] ?? "\(Self.usualDays)"), (1...90).contains(days)
            else { throw Problem(form: "valid", "a link can be valid for 1 to 90 days") }
            guard let uses = Int(form["uses"] ?? "1") else {
                throw Problem(form: "uses", "give a number of devices")
            }
            let text = (form["groups"] ?? "").lowercased().filter { !$0.isWhitespace }
            let groups = GroupNames(text)
            guard text.isEmpty || groups != nil else {
                throw Problem(form: "groups", "give \(GroupNames.kindOfText)")
            }
            let sent = try visit.perform(
                InviteTester(
                    NewInvitation(
                        name: (form["name"] ?? "").trimmingCharacters(in: .whitespaces),
                        app: form["app"].flatMap { $0.isEmpty ? nil : $0 },
                        validity: TimeInterval(days) * 86_400,
                        uses: uses,
                        groups: groups,
                    )
                )
            )
            let identifier = sent.invitation.identifier
            visit.services.secrets.keep(
                .invitation(link: sent.url, digits: sent.spacedCode),
                as: identifier,
                for: visit.session,
                at: visit.now,
            )
            return .elsewhere("\(visit.links.invitations)/\(identifier)")
        }
    }

    /// Answers `GET /admin/devices/invitations/{invitation}`, with the link and the code only the first
    /// time.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let identifier = try context.invitation
        return try await gate.page(request, context, in: .devices) { visit in
            let invitations = try visit.store.invitations().invitations
            guard let invitation = invitations.first(where: { $0.identifier == identifier }) else {
                throw Refusal.notFound
            }
            var secrets: InvitedPage.Secrets?
            if case .invitation(let link, let digits)? = visit.services.secrets.take(
                identifier.rawValue,
                for: visit.session,
                at: visit.now,
            ) {
                secrets = InvitedPage.Secrets(
                    link: link,
                    qr: try QRCode(encoding: link, correction: .medium)
                        .svg(label: "The invitation for \(invitation.name)"),
                    digits: digits,
                )
            }
            return InvitedPage(
                tester: invitation.name,
                secrets: secrets,
                places: invitation.places,
                codeURL: visit.site.links.enrol,
                expires: invitation.expires,
                invitationsURL: visit.links.invitations,
                admin: try visit.chrome(),
            )
        }
    }

    /// Answers `POST /admin/devices/invitations/{invitation}/revoke`.
    @Sendable func revoke(_ request: Request, _ context: RouteContext) async throws -> Response {
        let invitation = try context.invitation
        return try await gate.action(request, context, in: .devices) { visit, _ in
            let revoked = try visit.perform(RevokeInvitation(invitation.rawValue))
            return .done(
                "The invitation for \(revoked.invitation.name) was revoked.",
                goingTo: visit.links.invitations,
            )
        }
    }

    private static func entries(
        _ apps: [AppRecord],
        for visit: AdminRequest,
    ) throws -> [InvitationsPage.Entry] {
        try visit.store.invitations().invitations.reversed().map { invitation in
            InvitationsPage.Entry(
                name: invitation.name,
                app: invitation.app.map { app in
                    apps.first { $0.bundleIdentifier == app }?.title ?? app.rawValue
                },
                state: InvitationsPage.Entry.State(invitation.state(at: visit.now)),
                by: invitation.createdBy,
                dates: (invitation.created, invitation.opened, invitation.expires),
                places: (invitation.usedPlaces, invitation.places),
                groups: invitation.groups,
                revokeURL: visit.links.revoke(invitation: invitation.identifier.rawValue),
            )
        }
    }
}

extension InvitationsPage.Entry.State {
    fileprivate init(_ state: Invitation.State) {
        self =
            switch state {
            case .open: .open
            case .used: .used
            case .revoked: .revoked
            case .expired: .expired
            }
    }
}
