import Identifiers

extension APIRequest {
    /// The most entries that Apple gives in one page.
    static let pageSize = 200

    /// The attributes of devices that are read.
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

    /// Gives a device another name, or takes it into or out of use; what is nil stays as it is.
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

    /// The devices of a profile, a page at a time: `include=devices` gives 50 at most.
    static func devices(ofProfile profile: ResourceID) -> APIRequest {
        APIRequest(
            .get,
            .readProfiles,
            path: "/v1/profiles/\(profile)/devices",
            query: [deviceFields, ("limit", "\(pageSize)")],
        )
    }
}
