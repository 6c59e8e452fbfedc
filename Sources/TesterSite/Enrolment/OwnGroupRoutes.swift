import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Pages
import Releases
import SiteServices
import Store

/// The groups of a tester's device, which they may leave.
struct OwnGroupRoutes: Sendable {
    let site: Site
    let references: DeviceReferences

    /// Answers `GET /groups`.
    @Sendable func list(_ request: Request, _ context: RouteContext) async throws -> Response {
        let site = site
        let visit = TesterRequest(request, in: site, references)
        return try await site.work {
            guard let device = try visit.device(), device.state != .disabled else {
                throw Refusal.notFound
            }
            let page = OwnGroupsPage(
                device: device.name,
                groups: device.groups.sorted(),
                leaveURL: site.links.base.path + "/groups/leave",
                startURL: site.links.start,
                chrome: visit.chrome,
            )
            return try site.pages.answer(page, route: "/groups")
        }.response(to: request)
    }

    /// Answers `POST /groups/leave`: access ends with the device's next request.
    @Sendable func leave(_ request: Request, _ context: RouteContext) async throws -> Response {
        try OwnOrigin.checkSite(request)
        let site = site
        let visit = TesterRequest(request, in: site, references)
        let address = SignIn(site: site).address(request, context)
        let form = try await FormBody(ofStranger: request, at: address, in: site)
        guard let group = GroupName(form["group"] ?? "") else {
            throw Refusal.malformed("there is no such group")
        }
        try await site.work {
            guard let device = try visit.device(), device.state != .disabled,
                try site.store.devices().groups.contains(where: { $0.name == group })
            else { throw Refusal.notFound }
            let now = site.now
            var left: [Device] = []
            try site.store.changeDevices { register in
                left = try register.remove([device.udid], from: group)
            } recording: {
                left.map {
                    Activity(
                        date: now,
                        actor: $0.name,
                        event: .groupLeft,
                        subject: $0.name,
                        detail: group.rawValue,
                    )
                }
            }
        }
        var fields = ResponseFields.common
        fields[.location] = site.links.ownGroups
        fields[.cacheControl] = "no-store"
        return Response(status: .seeOther, headers: fields)
    }
}
