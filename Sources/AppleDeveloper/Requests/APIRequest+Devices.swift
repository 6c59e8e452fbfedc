import Identifiers

extension APIRequest {
    /// The maximum number of entries in a page from Apple.
    static let pageSize = 200

    /// The requested attributes of devices.
    private static let deviceFields = (
        name: "fields[devices]",
        value: "name,platform,udid,deviceClass,status,model,addedDate",
    )

    static let devices = APIRequest(
        .get,
        .readDevices,
        path: "/v1/devices",
        query: [deviceFields, ("limit", "\(pageSize)")],
    )

    static func devices(with udid: DeviceUDID) -> APIRequest {
        APIRequest(
            .get,
            .readDevices,
            path: "/v1/devices",
            query: [("filter[udid]", udid.rawValue), deviceFields, ("limit", "\(pageSize)")],
        )
    }

    static func register(_ udid: DeviceUDID, name: String) -> APIRequest {
        struct Attributes: Encodable {
            let name: String
            let platform = "IOS"
            let udid: String
        }
        return APIRequest(
            .post,
            .registerDevice,
            path: "/v1/devices",
            body: ResourceBody("devices", Attributes(name: name, udid: udid.rawValue)),
        )
    }

    /// Renames, enables or disables a device; nil leaves an attribute unchanged.
    static func change(
        _ device: ResourceID,
        name: String? = nil,
        isEnabled: Bool? = nil,
    ) -> APIRequest {
        struct Attributes: Encodable {
            let name: String?
            let status: String?
        }
        let status = isEnabled.map { $0 ? "ENABLED" : "DISABLED" }
        return APIRequest(
            .patch,
            .changeDevice,
            path: "/v1/devices/\(device)",
            body: ResourceBody("devices", id: device, Attributes(name: name, status: status)),
        )
    }

    /// The devices of a profile in pages: `include=devices` returns at most 50.
    static func devices(ofProfile profile: ResourceID) -> APIRequest {
        APIRequest(
            .get,
            .readProfiles,
            path: "/v1/profiles/\(profile)/devices",
            query: [deviceFields, ("limit", "\(pageSize)")],
        )
    }
}
