import APIDocuments
import Access
import Administration
import Foundation
import Problems
import Publishing
import HTTPTypes
import Releases
import Store

extension APIRoutes {
    static let server = APIRoute(.get, "", .anyToken) { call in
        try APIAnswer.json(
            ServerDocument(
                version: ProductVersion.text,
                baseURL: call.site.links.base.rawValue,
                holder: call.principal,
            )
        )
    }

    static let apps: [APIRoute] = [
        APIRoute(.get, "/apps", .anyToken) { call in
            let principal = call.principal
            return try await call.json { local in
                let listing = try local.admin.store.appListing()
                return AppsDocument(
                    apps: listing.apps.filter { principal.may(.read, on: $0.bundleIdentifier) }
                        .map(AppDescription.init),
                    unreadable: listing.failures.filter { principal.may(.read, on: $0.key) }
                        .map(\.value),
                )
            }
        },
        APIRoute(.get, "/apps/{app}", .onApp(.read)) { call in
            let name = try call.parameter("app")
            return try await call.answer { local in
                let app = try local.admin.app(named: name)
                return try APIAnswer.json(AppDocument(app: AppDescription(app)))
                    .tagged(DocumentTag(of: app))
            }
        },
        APIRoute(.patch, "/apps/{app}", .onApp(.admin)) { call in
            let name = try call.parameter("app")
            let change = try call.request(AppChange.self)
            let fields = call.fields
            return try await call.answer { local in
                let app = try local.admin.changeApp(
                    local.admin.app(named: name).bundleIdentifier,
                    change,
                ) { try DocumentTag(of: $0).matches(fields) }
                return try APIAnswer.json(AppDocument(app: AppDescription(app)))
                    .tagged(DocumentTag(of: app))
            }
        },
        APIRoute(.post, "/apps/{app}/prune", .onApp(.admin)) { call in
            let name = try call.parameter("app")
            let request = try call.request(PruneRequest.self)
            guard (0...PruneRequest.most).contains(request.keep) else {
                throw Problem.malformedBody(
                    "keep is out of range",
                    fix: "give a number from 0 to \(PruneRequest.most)",
                )
            }
            return try await call.json {
                try $0.prune(name, Prune(keep: request.keep, isDryRun: request.isDryRun))
            }
        },
    ]
}
