package import APIDocuments
import Administration
import Bytes
import Enrolment
import Foundation
package import Releases
import Bundles
import Publishing

/// A running server, as commands act on it; the same documents as from a store on this machine.
package struct RemoteAdministration: StoreAdministration {
    let connection: ServerConnection

    package init(_ connection: ServerConnection) {
        self.connection = connection
    }

    /// What the server says of itself, and of the token.
    package func server() async throws -> ServerDocument {
        try await get([])
    }

    package func baseURL() async throws -> BaseURL? {
        try await BaseURL(server().baseURL)
    }

    // MARK: Apps

    package func apps() async throws -> AppsDocument {
        try await get(["apps"])
    }

    package func app(_ app: String) async throws -> AppDocument {
        try await get(["apps", app])
    }

    package func changeApp(_ app: String, _ change: AppChange) async throws -> AppDocument {
        try await send(.patch, ["apps", app], change)
    }

    // MARK: Activity

    package func activity(count: Int) async throws -> ActivityDocument {
        try await get(["activity"], [("limit", "\(count)")])
    }
}
