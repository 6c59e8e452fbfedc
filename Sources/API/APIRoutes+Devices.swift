import APIDocuments
import Access
import Administration
import HTTPTypes
import Problems
import Releases
import SiteServices

extension APIRoutes {
    static let devices: [APIRoute] = [
        APIRoute(ListDevices.self), APIRoute(AddDevice.self), APIRoute(LookUpDevice.self),
        APIRoute(ApproveDevices.self), APIRoute(ImportDevices.self), APIRoute(ExportDevices.self),
        APIRoute(
            .get,
            "/devices/export.txt",
            .everywhere(.admin),
            query: ["all"],
        ) { call in
            let action = ExportDevices(all: try call.flag("all"))
            return try await call.answer {
                APIAnswer.text(
                    try action.perform(in: $0).list,
                    type: "text/tab-separated-values; charset=utf-8",
                )
            }
        },
        APIRoute(ShowDevice.self), APIRoute(RenameDevice.self), APIRoute(DisableDevice.self),
        APIRoute(EraseDevice.self), APIRoute(ShowSlots.self), APIRoute(RenewMembership.self),
    ]
}

extension Links {
    func api(_ path: String) -> String { absolute(APIRoute.root + path) }
}
