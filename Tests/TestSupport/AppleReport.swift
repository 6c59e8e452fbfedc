/// The state of the App Store Connect test server, as `GET /control/state` returns it.
package struct AppleReport: Decodable, Sendable {
    package struct Resource: Decodable, Sendable {
        package struct Attributes: Decodable, Sendable {
            package let name, udid, status, identifier, profileState, serialNumber: String?
        }

        package let id: String
        package let attributes: Attributes
    }

    package struct Request: Decodable, Sendable {
        package let method, path, query: String
        package let status: Int
    }

    package let devices, bundleIds, certificates, profiles: [Resource]
    /// Identifiers of the devices in each profile, by the profile's Apple identifier.
    package let profileDevices: [String: [String]]
    /// The identifier of the app that each profile is for, by the profile's Apple identifier.
    package let profileBundles: [String: String]
    package let requests: [Request]
    /// Violations of the contract by requests and responses.
    package let violations: [String]
    package let trapsLeft: Int
    /// The contracts that were checked.
    package let contracts: [String]

    /// Returns how many requests created or deleted something of this kind.
    package func done(_ method: String, _ kind: String) -> Int {
        requests.count {
            $0.method == method && $0.path.hasPrefix("/v1/\(kind)")
                && (200..<300).contains($0.status)
        }
    }
}
