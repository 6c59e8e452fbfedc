import Bytes
import Identifiers

extension AppleState {
    /// Registers a device, as Apple does.
    mutating func register(_ attributes: JSONValue) -> AppleAnswer {
        let name = attributes["name"]?.string ?? ""
        let udid = attributes["udid"]?.string ?? ""
        guard DeviceUDID(udid) != nil else { return Self.invalid("udid", udid) }
        guard (1...50).contains(name.count) else { return Self.invalid("name", name) }
        guard !hasDevice(udid) else {
            return .refusal(
                409,
                "ENTITY_ERROR",
                "A device with number '\(udid)' already exists on this team.",
            )
        }
        let deviceClass = classes[udid.lowercased()] ?? "IPHONE"
        guard devices.count(where: { $0.deviceClass == deviceClass }) < deviceLimit else {
            return .refusal(
                403,
                "FORBIDDEN_ERROR",
                "Your development team has reached the maximum number of registered iPhone "
                    + "devices.",
                title: "This request is forbidden for security reasons",
            )
        }
        let device = Device(
            id: makeID(),
            name: name,
            udid: udid,
            deviceClass: deviceClass,
            status: newDeviceStatus,
            added: now,
        )
        devices.append(device)
        return created(document(of: device))
    }

    mutating func change(device id: String, _ attributes: JSONValue) -> AppleAnswer {
        guard let index = devices.firstIndex(where: { $0.id == id }) else {
            return .notFound("devices", id)
        }
        if let name = attributes["name"]?.string { devices[index].name = name }
        if let status = attributes["status"]?.string { devices[index].status = status }
        return .json(
            .object([
                "data": document(of: devices[index]), "links": .object(["self": .text("/")]),
            ])
        )
    }

    func created(_ resource: JSONValue) -> AppleAnswer {
        .json(
            .object(["data": resource, "links": .object(["self": .text("/")])]),
            status: 201,
        )
    }

    static func invalid(_ attribute: String, _ value: String) -> AppleAnswer {
        .refusal(
            409,
            "ENTITY_ERROR.ATTRIBUTE.INVALID",
            "'\(value)' is not a valid value for the attribute '\(attribute)'.",
            title: "An attribute in the provided entity has invalid value",
            pointer: "/data/attributes/\(attribute)",
        )
    }
}
