package import Access
import Bundles
package import Identifiers
package import Releases
import Store

extension Administrator {
    /// The app that a user names, by bundle identifier or slug.
    package func app(named text: String) throws -> AppRecord {
        if let identifier = BundleIdentifier(text), let app = try store.app(identifier) {
            return app
        }
        if let slug = Slug(text.lowercased()), let app = try store.app(slug: slug) { return app }
        throw AdministrationRefusal.unknownApp(text, known: try store.apps().map(\.slug))
    }

    /// The release that a user names: `1.2.0-34`, or a version that has only one build.
    package func release(named text: String, of app: AppRecord) throws -> Release {
        let identifiers = try store.releaseIdentifiers(of: app.bundleIdentifier)
        if let identifier = ReleaseIdentifier(text), identifiers.contains(identifier),
            let release = try store.release(identifier, of: app.bundleIdentifier)
        {
            return release
        }
        let prefix = ReleaseIdentifier(version: text, build: "").versionPrefix
        let matches = identifiers.filter { $0.rawValue.hasPrefix(prefix) }
        guard matches.count < 2 else {
            throw AdministrationRefusal.ambiguousRelease(text, builds: matches)
        }
        guard let match = matches.first,
            let release = try store.release(match, of: app.bundleIdentifier)
        else { throw AdministrationRefusal.unknownRelease(text, of: app.slug) }
        return release
    }

    /// The device with a reference from a URL; see ``references``.
    package func device(referencedAs reference: String) throws -> Device {
        guard let device = try devicesByReference()[reference] else {
            throw AdministrationRefusal.unknownDevice
        }
        return device
    }

    /// The devices with these references, in the same order.
    ///
    /// - Throws: ``AdministrationRefusal/unknownDevice`` if there is no such device.
    func devices(referencedAs references: [String]) throws -> [Device] {
        let known = try devicesByReference()
        return try references.map { reference in
            guard let device = known[reference] else { throw AdministrationRefusal.unknownDevice }
            return device
        }
    }

    /// The devices of the register by their references in URLs, cookies and the install journals; computed
    /// once for each change of the register.
    package func devicesByReference() throws -> [String: Device] {
        let references = try references
        return try store.derived("devices by reference", of: ["devices.json"]) {
            () throws(StoreFailure) in
            Dictionary(
                try store.devices().devices.map { (references.reference(to: $0.udid), $0) }
            ) { first, _ in first }
        }
    }

    /// The device with a UDID, in use or not.
    package func device(_ udid: DeviceUDID) throws -> Device {
        guard let device = try store.devices()[udid] else {
            throw AdministrationRefusal.unknownDevice
        }
        return device
    }

    /// A profile by its UUID or name; of several with the same name, the one that expires last.
    package func profile(named text: String) throws -> ProfileRecord {
        let profiles = try store.profiles().byExpiry
        guard
            let match = profiles.last(where: {
                $0.uuid.lowercased() == text.lowercased() || $0.name == text
            })
        else { throw AdministrationRefusal.unknownProfile(text) }
        return match
    }

    /// Identifies devices where their UDIDs must not appear.
    package var references: SessionAuthority {
        get throws { SessionAuthority(key: try store.sessionKey()) }
    }
}
