import APIDocuments
import Access
import Administration
import Foundation
import HTTPTypes
import Problems
import Releases
import Store

extension APIRoutes {
    static let journals: [APIRoute] = [
        APIRoute(.get, "/activity", .everywhere(.admin), query: ["limit", "after"]) { call in
            let limit = try call.number("limit", in: 1...500, else: 50)
            guard let text = call.query["after"] else {
                return try await call.json { try $0.activity(count: limit) }
            }
            guard let cursor = ActivityCursor(text) else {
                throw Problem.badParameter(
                    "after",
                    fix: "give the cursor from an earlier answer",
                )
            }
            return try await call.json { local in
                let followed = try local.admin.store.follow(from: cursor, count: limit)
                return ActivityDocument(
                    activity: followed.found.map(\.activity),
                    cursor: followed.end.description,
                    unreadable: followed.failures,
                )
            }
        },
        APIRoute(
            .get,
            "/apps/{app}/installs",
            .onApp(.admin),
            query: ["limit", "days"],
        ) { call in
            let name = try call.parameter("app")
            let days = try call.number("days", in: 1...366, else: 30)
            let limit = try call.number("limit", in: 1...1000, else: 100)
            return try await call.json { local in
                let app = try local.admin.app(named: name).bundleIdentifier
                let begin = local.admin.clock().addingTimeInterval(-Double(days) * 86_400)
                let all = try local.admin.store.installAttempts(of: app, since: begin)
                return InstallsDocument(
                    installs: all.suffix(limit).reversed().map(InstallEntry.init)
                )
            }
        },
    ]
}
