/// What the test server of Apple's API knows, as `GET /control/state` gives it.
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
    /// Identifiers of the devices that a profile lists, by what Apple calls the profile.
    package let profileDevices: [String: [String]]
    /// The identifier of the app that a profile is for, by what Apple calls the profile.
    package let profileBundles: [String: String]
    package let requests: [Request]
    /// What requests and answers did not keep of the contract.
    package let violations: [String]
    package let trapsLeft: Int
    /// The contracts that were checked.
    package let contracts: [String]

    /// How many requests were done that create something, or remove it.
    package func done(_ method: String, _ kind: String) -> Int {
        requests.count {
            $0.method == method && $0.path.hasPrefix("/v1/\(kind)")
                && (200..<300).contains($0.status)
        }
    }
}
