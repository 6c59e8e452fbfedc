import APIDocuments
import Access
import Administration
import Bundles
import Foundation
import HTTPServing
import Hummingbird
import Identifiers
import Inspection
import Pages
import Problems
import Releases
import SiteServices
import Store

/// The page of a device, and its forms.
struct AdminDevices: Sendable {
    /// The most apps whose builds a page evaluates.
    private static let appsOnPage = 30

    let gate: AdminGate

    /// Answers `GET /admin/devices/{device}?page=`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let reference = try context.text("device")
        let number = try request.pageNumber
        return try await gate.page(request, context, in: .devices) { visit in
            try Self.page(of: visit.device(reference), reference, number, for: visit)
        }
    }

    /// Answers `POST /admin/devices/{device}/approve`.
    @Sendable func approve(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await act(request, context) { visit, device, _ in
            let request = ApprovalRequest(devices: [visit.reference(to: device)])
            return AdminRegister.sentence(try visit.perform(ApproveDevices(request)).devices)
        }
    }

    /// Answers `POST /admin/devices/{device}/rename`, with a name or a team.
    @Sendable func rename(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await act(request, context) { visit, device, form in
            if let text = form["team"] { return try Self.assign(device, to: text, by: visit) }
            if let text = form["add-team"] ?? form["remove-team"] {
                let isAdded = form["add-team"] != nil
                return try Self.change(device, text, isAdded: isAdded, by: visit)
            }
            let renamed = try visit.perform(
                RenameDevice(visit.reference(to: device), to: form["name"] ?? "")
            )
            return "Renamed to \(renamed.device.name)."
        }
    }

    private static func assign(
        _ device: Device,
        to text: String,
        by visit: AdminRequest,
    ) throws -> String {
        guard let team = TeamIdentifier(text) else {
            throw Problem(form: "team", "choose the team that the device belongs to")
        }
        let request = RenamingRequest(team: team)
        let assigned = try visit.perform(RenameDevice(visit.reference(to: device), request))
        let name = try visit.accounts().teams.first { $0.identifier == team }?.name
        return "\(assigned.device.name) belongs to the team \(name ?? text)."
    }

    private static func change(
        _ device: Device,
        _ text: String,
        isAdded: Bool,
        by visit: AdminRequest,
    ) throws -> String {
        guard let team = TeamIdentifier(text) else {
            throw Problem(form: "team", "choose the team that the device joins or leaves")
        }
        let request = RenamingRequest(
            choice: nil,
            adding: isAdded ? [team] : [],
            removing: isAdded ? [] : [team],
        )
        let changed = try visit.perform(RenameDevice(visit.reference(to: device), request)).device
        let name = try visit.accounts().teams.first { $0.identifier == team }?.name ?? text
        return isAdded
            ? "\(changed.name) is also in the team \(name)."
            : "\(changed.name) has left the team \(name). Its slot there stays used until that "
                + "membership renews."
    }

    /// Answers `GET /admin/devices/{device}/disable`.
    @Sendable func askToDisable(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        try await ask(request, context) { visit, device, links in
            ConfirmPage(
                "Disable \(device.name)?",
                consequences: [
                    "The device can no longer open apps that are for approved devices.",
                    "Its slot stays used until your membership renews, as it does at Apple. You "
                        + "can enable the device again.",
                ],
                action: MessagePage.Action(title: "Disable", url: links.disable),
                cancelURL: links.page,
                admin: try visit.chrome(),
            )
        }
    }

    /// Answers `POST /admin/devices/{device}/disable`.
    @Sendable func disable(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await act(request, context) { visit, device, _ in
            try visit.perform(DisableDevice(visit.reference(to: device)))
            return "\(device.name) is disabled."
        }
    }

    /// Answers `POST /admin/devices/{device}/enable`.
    @Sendable func enable(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await act(request, context) { visit, device, _ in
            let enabled = try visit.perform(
                AddDevice(
                    NewDevice(udid: device.udid, name: device.name, family: device.family)
                )
            )
            return "\(enabled.device.name) is enabled."
        }
    }

    /// Answers `GET /admin/devices/{device}/erase`.
    @Sendable func askToErase(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        try await ask(request, context) { visit, device, links in
            ConfirmPage(
                "Erase \(device.name)?",
                consequences: [
                    "This deletes its identifier and history, also from invitations and install "
                        + "records. It cannot be undone.",
                    "If the device is in your developer account, remove it there too; otherwise "
                        + "it still uses a slot next year.",
                ],
                action: MessagePage.Action(title: "Erase", url: links.erase),
                cancelURL: links.page,
                admin: try visit.chrome(),
            )
        }
    }

    /// Answers `POST /admin/devices/{device}/erase`.
    @Sendable func erase(_ request: Request, _ context: RouteContext) async throws -> Response {
        let reference = try context.text("device")
        return try await gate.action(request, context, in: .devices) { visit, _ in
            _ = try visit.device(reference)
            try visit.perform(EraseDevice(reference))
            return .done("Device erased.", goingTo: visit.links.devices)
        }
    }

    // MARK: Parts

    private func ask(
        _ request: Request,
        _ context: RouteContext,
        _ make: @escaping @Sendable (AdminRequest, Device, AdminDeviceLinks) throws -> ConfirmPage,
    ) async throws -> Response {
        let reference = try context.text("device")
        return try await gate.page(request, context, in: .devices) { visit in
            try make(visit, visit.device(reference), visit.links.pages(ofDevice: reference))
        }
    }

    /// Redirects to the device's page with the message that `act` returns.
    private func act(
        _ request: Request,
        _ context: RouteContext,
        _ act: @escaping @Sendable (AdminRequest, Device, FormBody) throws -> String,
    ) async throws -> Response {
        let reference = try context.text("device")
        return try await gate.action(request, context, in: .devices) { visit, form in
            let words = try act(visit, visit.device(reference), form)
            return .done(words, goingTo: visit.links.device(reference))
        }
    }

    private static func page(
        of device: Device,
        _ reference: String,
        _ number: Int,
        for visit: AdminRequest,
    ) throws -> DevicePage {
        let apps = try visit.apps()
        let first = (number - 1) * appsOnPage
        guard number == 1 || first < apps.count else { throw Refusal.notFound }
        let page = visit.links.pages(ofDevice: reference)
        let offers = try apps.dropFirst(first).prefix(appsOnPage).flatMap { app in
            try AdminApps.offers(of: app, in: visit.store).map { channel, release in
                DevicePage.Offer(
                    title: app.title,
                    channel: channel,
                    release: release,
                    judged: try visit.store.report(of: release)
                        .verdict(for: device.facts, at: visit.now),
                    url: visit.links.release(release.identifier, of: app.slug),
                )
            }
        }
        let attempts = try visit.attempts(of: nil) { $0.device == reference }
            .prefix(AdminRequest.installCount)
            .map { attempt in
                let app = apps.first { $0.bundleIdentifier == attempt.app }
                return DevicePage.Fetched(
                    attempt: attempt,
                    release: "\(app?.title ?? attempt.app.rawValue) \(attempt.release.words)",
                    url: app.map { visit.links.release(attempt.release, of: $0.slug) },
                )
            }
        return DevicePage(
            device: device,
            atApple: try visit.accounts().standing(of: device),
            offers: offers,
            turn: PageTurn(
                number: number,
                length: appsOnPage,
                total: apps.count,
                url: { "\(page.page)?page=\($0)" },
            ),
            attempts: attempts,
            teams: try visit.accounts().teams,
            links: DevicePage.Links(
                devices: visit.links.devices,
                device: page,
            ),
            admin: try visit.chrome(),
        )
    }
}
