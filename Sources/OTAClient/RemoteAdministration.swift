package import APIDocuments
import Administration
import Bytes
import Enrolment
package import Foundation
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

    // MARK: Profiles

    package func profiles() async throws -> ProfilesDocument {
        try await get(["profiles"])
    }

    package func profile(_ profile: String) async throws -> RegisteredProfileDocument {
        try await get(["profiles", profile])
    }

    package func profilesExpiring(within seconds: TimeInterval) async throws -> ProfilesDocument {
        try await get(["profiles", "expiring"], [("within", "\(Int(seconds))")])
    }

    package func addProfile(_ bytes: [UInt8], from place: String) async throws -> ProfilesDocument {
        try await send(.post, ["profiles"], ProfileRequest(profile: Data(bytes)))
    }

    // MARK: Activity

    package func activity(count: Int) async throws -> ActivityDocument {
        try await get(["activity"], [("limit", "\(count)")])
    }
}
