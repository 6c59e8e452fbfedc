package import APIDocuments
import Administration
import HTTPTypes

/// All routes of `/api/v1`; `public/openapi.yaml` describes the same ones.
package enum APIRoutes {
    /// A route for each action, and one for each response that is not a document.
    static let all: [APIRoute] =
        Actions.all.map { $0.accept(APIRouteMaker()) } + deviceFiles + buildFiles + exports
        + symbols

    /// The actions with a route.
    package static var actions: [any Action.Type] { all.compactMap(\.action) }

    /// All methods with their paths, such as `GET /api/v1/apps/{app}`, including the update check of
    /// installed apps.
    package static var addresses: [String] {
        let table = all.map { ($0.method, APIRoute.root + $0.path) }
        let uploads = UploadRoutes.operations.map { ($0.method, $0.path) }
        let runners = RunnerRoutes.operations.map { ($0.method, $0.path) }
        let others = [(HTTPRequest.Method.get, UpdateDocument.path)]
        return (table + uploads + runners + others).map { "\($0.0.rawValue) \($0.1)" }.sorted()
    }
}
