package import APIDocuments
import Access
import Bundles
package import Cryptography
import Enrolment
import Foundation
import Inspection
import Publishing
package import Releases
import Store

/// A store on this machine, as commands and the API act on it.
package struct LocalAdministration: StoreAdministration {
    package let admin: Administrator
    /// Who is believed to have signed a profile that is added by hand.
    package let anchors: TrustAnchors
    /// Where testers reach the server; nil for what the store remembers.
    package let links: Links?
    /// Whether verdicts say which devices they are about, by name and identifier.
    package let namesDevices: Bool
    /// The proxies that fetches of mirrors use.
    package var surroundings: [String: String] = [:]

    package init(
        _ admin: Administrator,
        anchors: TrustAnchors = .apple,
        links: Links? = nil,
        namesDevices: Bool = true,
    ) {
        self.admin = admin
        self.anchors = anchors
        self.links = links
        self.namesDevices = namesDevices
    }

    package func baseURL() throws -> BaseURL? {
        try links?.base ?? admin.store.settings().baseURL
    }

    // MARK: Apps

    package func apps() throws -> AppsDocument {
        let listing = try admin.store.appListing()
        return AppsDocument(
            apps: listing.apps.map(AppDescription.init),
            unreadable: Array(listing.failures.values),
        )
    }

    package func app(_ app: String) throws -> AppDocument {
        AppDocument(app: AppDescription(try admin.app(named: app)))
    }

    package func changeApp(_ app: String, _ change: AppChange) throws -> AppDocument {
        let identifier = try admin.app(named: app).bundleIdentifier
        return AppDocument(app: AppDescription(try admin.changeApp(identifier, change)))
    }

    // MARK: Activity

    package func activity(count: Int) throws -> ActivityDocument {
        // The place first: what happens between the two is told twice rather than never.
        let end = try admin.store.activityEnd(at: admin.clock())
        let listing = try admin.store.activityListing(count: count)
        return ActivityDocument(
            activity: listing.activities,
            cursor: end.description,
            unreadable: listing.failures,
        )
    }
}
