import APIDocuments
import Access
import Administration
import HTTPTypes
import Problems
import Releases
import SiteServices

extension APIRoutes {
    /// The list of devices in Apple's format.
    static let deviceFiles: [APIRoute] = [
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
        }
    ]
}
