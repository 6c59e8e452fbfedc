import APIDocuments
import Access
import Administration
import Bundles
import Bytes
import Foundation
import HTTPServing
import Hummingbird
import Identifiers
import Pages
import Problems
import Releases
import SiteServices
import Store

/// The page of all devices: searching, approving, and adding by hand.
struct AdminRegister: Sendable {
    static let pageLength = 50
    /// The most rows of each list above the table.
    private static let rowsAbove = 20

    let gate: AdminGate

    /// Answers `GET /admin/devices?show=&search=&group=&team=&model=&sort=&page=`.
    @Sendable func list(_ request: Request, _ context: RouteContext) async throws -> Response {
        let fields = request.uri.queryParameters
        guard let query = DeviceQuery({ fields[Substring($0)].map(String.init) }) else {
            throw Refusal.notFound
        }
        let number = try request.pageNumber
        return try await gate.page(request, context, in: .devices) { visit in
            try Self.page(query, number, for: visit)
        }
    }

    /// Answers `POST /admin/devices/search`.
    ///
    /// Sent by `POST`, because the text may be a UDID, which must not appear in a URL.
    @Sendable func search(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(request, context, in: .devices) { visit, form in
            guard var query = DeviceQuery({ form[$0] }) else { throw Refusal.notFound }
            query.search = query.search.trimmingCharacters(in: .whitespaces)
            if let udid = DeviceUDID(query.search) {
                guard let device = try visit.store.devices()[udid] else {
                    throw AdministrationRefusal.unknownDevice
                }
                return .elsewhere(visit.url(of: device))
            }
            return .elsewhere(visit.links.devices(query) + "#register")
        }
    }

    /// Answers `POST /admin/devices/approve`, for one device or for `all`.
    @Sendable func approve(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(request, context, in: .devices) { visit, form in
            let reference = form["device"] ?? ""
            if reference != "all" { _ = try visit.device(reference) }
            let approved = try visit.perform(
                ApproveDevices(ApprovalRequest(devices: reference == "all" ? nil : [reference]))
            )
            return .done(Self.sentence(approved.devices), goingTo: visit.links.devices)
        }
    }

    /// Answers `GET /admin/devices/add`.
    @Sendable func addForm(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.page(request, context, in: .devices) { visit in
            DeviceAddPage(
                links: visit.links,
                teams: try visit.accounts().teams,
                admin: try visit.chrome(),
            )
        }
    }

    /// Answers `POST /admin/devices/add`.
    @Sendable func add(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(request, context, in: .devices) { visit, form in
            var typed = DeviceAddPage.Typed()
            typed.identifier = form["udid"] ?? ""
            typed.name = form["name"] ?? ""
            typed.model = form["model"] ?? ""
            typed.os = form["os"] ?? ""
            typed.family = form["family"] ?? ""
            typed.team = form["team"] ?? ""
            do {
                if typed.team.isEmpty, try visit.accounts().teams.count > 1 {
                    throw Problem(form: "team", "choose the team that the device belongs to")
                }
                let device = try visit.perform(AddDevice(NewDevice(typed: typed))).device
                return .done(
                    "\(device.name) was added.",
                    goingTo: visit.links.device(device.reference),
                )
            } catch {
                guard let problem = Problem(ofForm: error) else { throw error }
                let page = DeviceAddPage(
                    links: visit.links,
                    teams: try visit.accounts().teams,
                    typed: typed,
                    problem: PageProblem(problem),
                    admin: try visit.chrome(),
                )
                return .again(page, problem.kind.status)
            }
        }
    }

    static func sentence(_ approved: [DeviceEntry]) -> String {
        switch approved.count {
        case 0: "No device is waiting for approval."
        case 1: "\(approved[0].name) was approved. Builds made from now on can include it."
        default:
            "\(approved.count.grouped) devices were approved. Builds made from now on can include them."
        }
    }

    private static func page(
        _ query: DeviceQuery,
        _ number: Int,
        for visit: AdminRequest,
    ) throws -> DevicesPage {
        let index = try visit.deviceIndex()
        let found = index.find(query)
        let first = (number - 1) * pageLength
        guard number == 1 || first < found.places.count else { throw Refusal.notFound }
        let accounts = try visit.accounts()
        let entry = { (device: Device) in
            let reference = visit.reference(to: device)
            return DevicesPage.Entry(
                device: device,
                reference: reference,
                url: visit.links.device(reference),
                atApple: accounts.standing(of: device),
            )
        }
        let links = visit.links
        let pending = index.register.pending
        var contents = DevicesPage.Contents(
            waiting: pending.prefix(rowsAbove).map(entry),
            listed: found.places.dropFirst(first).prefix(pageLength).map {
                entry(index.devices[$0])
            },
            total: found.places.count,
            counts: found.counts,
            turn: PageTurn(
                number: number,
                length: pageLength,
                total: found.places.count,
                url: { links.devices(query, page: $0) + "#register" },
            ),
        )
        contents.waitingTotal = pending.count
        contents.page = number
        contents.choices = try visit.choices(among: index)
        contents.counted = accounts.counts
        contents.onlyThere = accounts.onlyThere
        if !accounts.teams.isEmpty {
            let differing = index.devices.lazy
                .filter { accounts.standing(of: $0)?.differs(from: $0) == true }
                .prefix(rowsAbove)
            contents.differing = Array(differing).map(entry)
        }
        return DevicesPage(
            devices: contents,
            slots: index.slots(at: visit.now),
            query: query,
            links: links,
            at: visit.now,
            admin: try visit.chrome(),
        )
    }
}

extension AdminRequest {
    /// Returns the values by which devices can be filtered, and the groups and teams that they can join.
    fileprivate func choices(among index: DeviceIndex) throws -> DeviceChoices {
        let teams = try store.unlessDamaged { try store.teams() } ?? []
        var choices = DeviceChoices()
        choices.models = index.models
        choices.groups = index.register.groups.map(\.name)
        choices.joinable = teams
        choices.teams = index.teams.map { identifier in
            let team = teams.first { $0.identifier.rawValue == identifier }
            return (identifier, team?.name ?? identifier)
        }
        return choices
    }
}

extension NewDevice {
    /// Creates a device from an admin's input.
    fileprivate init(typed: DeviceAddPage.Typed) throws(Problem) {
        guard
            let udid = DeviceUDID(typed.identifier.trimmingCharacters(in: .whitespacesAndNewlines))
        else {
            throw Problem(
                form: "udid",
                "the identifier is 40 hexadecimal digits, or 24, with or without the hyphen after "
                    + "the eighth",
            )
        }
        let os = OSVersion(typed.os)
        guard typed.os.isEmpty || os != nil else {
            throw Problem(form: "os", "the OS version must be a number such as 18.1")
        }
        let family = ProductFamily(rawValue: typed.family)
        guard typed.family.isEmpty || family != nil else {
            throw Problem(form: "family", "choose one of the device families")
        }
        let team = TeamIdentifier(typed.team)
        guard typed.team.isEmpty || team != nil else {
            throw Problem(form: "team", "choose one of the teams")
        }
        self.init(
            udid: udid,
            name: typed.name.isEmpty ? nil : typed.name,
            family: family,
            model: typed.model.isEmpty ? nil : typed.model,
            os: os,
            team: team,
        )
    }
}
