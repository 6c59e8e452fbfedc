import Essentials

/// The first line of an `.ips` file.
struct IncidentHead: Decodable {
    private(set) var appName, appVersion, buildVersion, bundleID: String?
    private(set) var timestamp, osVersion, incident: String?

    init() {}

    private enum Key: String, CodingKey {
        case app_name, name, app_version, build_version, bundleID, timestamp, os_version
        case incident_id
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        appName = fields.text(.app_name) ?? fields.text(.name)
        appVersion = fields.text(.app_version)
        buildVersion = fields.text(.build_version)
        bundleID = fields.text(.bundleID)
        timestamp = fields.text(.timestamp)
        osVersion = fields.text(.os_version)
        incident = fields.text(.incident_id)
    }
}

extension KeyedDecodingContainer {
    /// A value, or nil if it is missing or of another type, so that one malformed field does not make a
    /// report unreadable.
    func maybe<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        (try? decodeIfPresent(type, forKey: key)) ?? nil
    }

    /// A text on one line, or a number as text.
    func text(_ key: Key) -> String? {
        if let text = maybe(String.self, key) { return CrashLine.plain(text) }
        return maybe(Int.self, key).map { "\($0)" }
    }
}
