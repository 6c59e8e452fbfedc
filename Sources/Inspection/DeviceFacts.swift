package import Bundles

/// What is known about one device when a build is judged for it.
package struct DeviceFacts: Codable, Equatable, Sendable {
    /// Nil for a device of which only its kind is known; the lists of profiles then decide nothing.
    package let udid: DeviceUDID?
    /// Nil when nobody has said; a rule that needs it then cannot decide.
    package let family: DeviceFamily?
    package let os: OSVersion?
    /// The product type, such as `iPhone15,2`.
    package let model: String?

    package init(
        udid: DeviceUDID? = nil,
        family: DeviceFamily? = nil,
        os: OSVersion? = nil,
        model: String? = nil,
    ) {
        self.udid = udid
        self.family = family
        self.os = os
        self.model = model
    }

    /// Whom a finding concerns.
    var concerned: [DeviceUDID]? { udid.map { [$0] } }
}
