import Bytes

extension AppleState {
    mutating func registerBundleID(_ attributes: JSONValue) -> AppleAnswer {
        let identifier = attributes["identifier"]?.string ?? ""
        let isTaken =
            takenIdentifiers.contains(identifier)
            || bundleIDs.contains { $0.identifier == identifier }
        guard !isTaken else {
            return .refusal(
                409,
                "ENTITY_ERROR.ATTRIBUTE.INVALID",
                "An App ID with Identifier '\(identifier)' is not available. Please enter a "
                    + "different string.",
                title: "An attribute in the provided entity has invalid value",
                pointer: "/data/attributes/identifier",
            )
        }
        let bundleID = BundleID(
            id: makeID(),
            name: attributes["name"]?.string ?? "",
            identifier: identifier,
            changed: now,
        )
        bundleIDs.append(bundleID)
        return created(document(of: bundleID))
    }

    /// Enables a capability of an App ID, which invalidates its existing profiles.
    mutating func enableCapability(_ data: JSONValue) -> AppleAnswer {
        let bundle = data["relationships"]?["bundleId"]?["data"]?["id"]?.string ?? ""
        let type = data["attributes"]?["capabilityType"]?.string ?? ""
        guard let index = bundleIDs.firstIndex(where: { $0.id == bundle }) else {
            return .notFound("bundleIds", bundle)
        }
        guard !bundleIDs[index].capabilities.contains(where: { $0.type == type }) else {
            return .refusal(409, "ENTITY_ERROR", "The capability already exists.")
        }
        let capability = Capability(id: makeID(), type: type)
        add(capability, to: index)
        return created(document(of: capability))
    }

    /// Enables a capability as people do on Apple's website, where they also assign app groups and the like.
    mutating func enable(_ type: String, assigning values: [String], of identifier: String) {
        guard let index = bundleIDs.firstIndex(where: { $0.identifier == identifier }) else {
            return
        }
        add(Capability(id: makeID(), type: type, values: values), to: index)
    }

    private mutating func add(_ capability: Capability, to index: Int) {
        bundleIDs[index].capabilities.append(capability)
        bundleIDs[index].changed = now
        for profile in profiles.indices where profiles[profile].bundleID == bundleIDs[index].id {
            profiles[profile].isInvalid = true
        }
    }
}
