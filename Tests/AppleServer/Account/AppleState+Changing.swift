import Bytes
import Sample

extension AppleState {
    /// Performs a POST, PATCH or DELETE; nil for a path that is not served.
    mutating func change(
        by request: ReceivedRequest,
        under authority: SigningAuthority,
    ) throws -> AppleAnswer? {
        let parts = request.components
        guard parts.first == "v1", (2...3).contains(parts.count) else { return nil }
        let id = parts.count == 3 ? parts[2] : nil
        let data = JSONValue(reading: request.body)?["data"] ?? .null
        let attributes = data["attributes"] ?? .null
        switch (request.method, parts[1], id) {
        case ("POST", "devices", nil): return register(attributes)
        case ("PATCH", "devices", let id?): return change(device: id, attributes)
        case ("POST", "bundleIds", nil): return registerBundleID(attributes)
        case ("POST", "bundleIdCapabilities", nil): return enableCapability(data)
        case ("POST", "certificates", nil):
            return try createCertificate(attributes, by: authority)
        case ("DELETE", "certificates", let id?):
            guard certificates.contains(where: { $0.id == id }) else {
                return .notFound("certificates", id)
            }
            revoke(certificate: id)
            return AppleAnswer(status: 204)
        case ("POST", "profiles", nil): return try createProfile(data, by: authority)
        case ("DELETE", "profiles", let id?):
            guard profiles.contains(where: { $0.id == id }) else {
                return .notFound("profiles", id)
            }
            profiles.removeAll { $0.id == id }
            return AppleAnswer(status: 204)
        default: return nil
        }
    }
}
