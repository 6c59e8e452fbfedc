import Identifiers

extension APIRequest {
    private static let bundleIDFields = (
        name: "fields[bundleIds]",
        value: "name,platform,identifier,seedId",
    )

    static let bundleIDs = APIRequest(
        .get,
        .readBundleIDs,
        path: "/v1/bundleIds",
        query: [bundleIDFields, ("limit", "\(pageSize)")],
    )

    static func bundleIDs(with identifier: BundleIdentifier) -> APIRequest {
        APIRequest(
            .get,
            .readBundleIDs,
            path: "/v1/bundleIds",
            query: [
                ("filter[identifier]", identifier.rawValue), bundleIDFields,
                ("limit", "\(pageSize)"),
            ],
        )
    }

    static func register(_ identifier: BundleIdentifier, name: String) -> APIRequest {
        struct Attributes: Encodable {
            let identifier: String
            let name: String
            let platform = "IOS"
        }
        return APIRequest(
            .post,
            .registerBundleID,
            path: "/v1/bundleIds",
            body: ResourceBody(
                "bundleIds",
                Attributes(identifier: identifier.rawValue, name: name),
            ),
        )
    }

    static func capabilities(of bundleID: ResourceID) -> APIRequest {
        APIRequest(
            .get,
            .readCapabilities,
            path: "/v1/bundleIds/\(bundleID)/bundleIdCapabilities",
            query: [("limit", "\(pageSize)")],
        )
    }

    static func enable(_ capability: String, for bundleID: ResourceID) -> APIRequest {
        struct Attributes: Encodable {
            let capabilityType: String
        }
        return APIRequest(
            .post,
            .enableCapability,
            path: "/v1/bundleIdCapabilities",
            body: ResourceBody(
                "bundleIdCapabilities",
                Attributes(capabilityType: capability),
                relationships: ["bundleId": .one("bundleIds", bundleID)],
            ),
        )
    }
}
