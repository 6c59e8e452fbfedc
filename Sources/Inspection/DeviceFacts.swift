import Bundles
package import Identifiers

/// What is known about a device for which a build is judged.
package struct DeviceFacts: Codable, Equatable, Sendable {
    /// Nil for a device of which only the kind is known; the profiles' device lists are then not applied.
    package let udid: DeviceUDID?
    /// Nil when unknown; a rule that needs it then cannot decide.
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

    /// The device's system as a version of iOS; nil for a system whose version numbers are not
    /// comparable.
    ///
    /// Apple Vision Pro runs apps for iPhone and iPad: visionOS 1.0 corresponds to iOS 17.3, 1.1 to 17.4,
    /// 2.0 to 18.0, and since 26 the numbers are the same.
    var comparableOS: OSVersion? {
        guard let os else { return nil }
        let isVision = model?.hasPrefix("RealityDevice") == true
        let kind = family ?? (isVision ? .vision : nil)
        switch (kind, os.major) {
        case (.phone, _), (.pad, _): return os
        case (nil, _): return model == nil || modelRunsIOS ? os : nil
        case (.vision, 1): return OSVersion(major: 17, minor: os.minor + 3, patch: os.patch)
        case (.vision, 2): return OSVersion(major: 18, minor: os.minor, patch: os.patch)
        case (.vision, 26...): return os
        default: return nil
        }
    }

    private var modelRunsIOS: Bool {
        let family = model.flatMap { ProductType($0)?.family?.deviceFamily }
        return family == .phone || family == .pad
    }

    /// The value for ``Finding/devices`` in findings about this device; nil without a UDID.
    var concerned: [DeviceUDID]? { udid.map { [$0] } }
}
