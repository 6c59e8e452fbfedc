import APIDocuments
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

    package func baseURL() async throws -> BaseURL? {
        try await BaseURL(perform(ShowServer()).baseURL)
    }
}
