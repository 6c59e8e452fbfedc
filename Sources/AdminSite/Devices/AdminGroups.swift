import APIDocuments
import Access
import Administration
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Pages
import Problems
import Releases
import SiteServices
import Store

/// The pages of groups, and their forms.
struct AdminGroups: Sendable {
    let gate: AdminGate

    /// The routes, relative to `/admin`.
    var table: AdminRoutes.Table {
        [
            Route("/groups", [.get: list, .post: create]),
            Route("/groups/{group}", [.get: page]),
            Route("/groups/{group}/add", [.post: add]),
            Route("/groups/{group}/remove", [.post: remove]),
            Route("/groups/{group}/delete", [.post: delete]),
        ]
    }

    /// Answers `GET /admin/groups`.
    @Sendable func list(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.page(request, context, in: .devices) { try Self.list(for: $0) }
    }

    /// Answers `POST /admin/groups`.
    @Sendable func create(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(request, context, in: .devices) { visit, form in
            let typed = (form["group"] ?? "").trimmingCharacters(in: .whitespaces)
            do {
                guard let name = GroupName(typed) else {
                    throw Problem(form: "group", "give \(GroupName.kindOfText)")
                }
                try visit.perform(CreateGroup(name))
                return .done("Group \(name) created.", goingTo: visit.links.group(name).page)
            } catch {
                guard let problem = Problem(ofForm: error) else { throw error }
                let page = try Self.list(for: visit, typed: typed, PageProblem(problem))
                return .again(page, problem.kind.status)
            }
        }
    }

    /// Answers `GET /admin/groups/{group}`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.group
        return try await gate.page(request, context, in: .devices) { visit in
            let register = try visit.store.devices()
            guard register[name] != nil else { throw Refusal.notFound }
            let devices = register.active.map { device in
                (device: device, member: visit.member(device))
            }
            return GroupPage(
                group: name,
                members: devices.filter { $0.device.groups.contains(name) }.map(\.member),
                others: devices.filter { !$0.device.groups.contains(name) }.map(\.member),
                apps: try visit.apps().filter { $0.namedGroups.contains(name) },
                rules: try visit.perform(ShowGroup(name.rawValue)).group.signIn,
                links: visit.links,
                admin: try visit.chrome(),
            )
        }
    }

    /// Answers `POST /admin/groups/{group}/add`.
    @Sendable func add(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await change(request, context) { visit, name, device in
            try visit.perform(AddToGroup([visit.reference(to: device)], to: name.rawValue))
            return "\(device.name) was added to \(name)."
        }
    }

    /// Answers `POST /admin/groups/{group}/remove`.
    @Sendable func remove(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await change(request, context) { visit, name, device in
            try visit.perform(RemoveFromGroup([visit.reference(to: device)], from: name.rawValue))
            return "\(device.name) was removed from \(name)."
        }
    }

    /// Answers `POST /admin/groups/{group}/delete`.
    @Sendable func delete(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.group
        return try await gate.action(request, context, in: .devices) { visit, _ in
            try visit.perform(DeleteGroup(name.rawValue))
            return .done("Group \(name) deleted.", goingTo: visit.links.groups)
        }
    }

    private func change(
        _ request: Request,
        _ context: RouteContext,
        _ act: @escaping @Sendable (AdminRequest, GroupName, Device) throws -> String,
    ) async throws -> Response {
        let name = try context.group
        return try await gate.action(request, context, in: .devices) { visit, form in
            let device = try visit.device(form["device"] ?? "")
            return .done(
                try act(visit, name, device),
                goingTo: visit.links.group(name).page,
            )
        }
    }

    private static func list(
        for visit: AdminRequest,
        typed: String = "",
        _ problem: PageProblem? = nil,
    ) throws -> GroupsPage {
        let register = try visit.store.devices()
        return GroupsPage(
            groups: register.groups.map { ($0, register.members(of: $0.name).count) },
            apps: try visit.apps(),
            typed: typed,
            problem: problem,
            links: visit.links,
            admin: try visit.chrome(),
        )
    }
}

extension AdminRequest {
    fileprivate func member(_ device: Device) -> GroupPage.Member {
        GroupPage.Member(device, reference: reference(to: device), url: url(of: device))
    }
}

extension RouteContext {
    fileprivate var group: GroupName {
        get throws(Refusal) {
            guard let group = GroupName(try text("group")) else { throw .notFound }
            return group
        }
    }
}
