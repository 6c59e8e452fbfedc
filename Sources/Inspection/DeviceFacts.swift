import Bundles
package import Identifiers

/// What is known about one device when a build is judged for it.
package struct DeviceFacts: Codable, Equatable, Sendable {
    /// Nil for a device of which only its kind is known; the lists of profiles then decide nothing.
    package let udid: DeviceUDID?
    /// Nil when it is not known; a rule that needs it then cannot decide.
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

    /// What it runs, as a version of iOS; nil for a system whose numbers mean something else.
    ///
    /// Vision Pro runs apps of iPhone and iPad: visionOS 1.0 came out with iOS 17.3, 1.1 with 17.4,
    /// 2.0 with 18.0, and since 26 the numbers are the same.
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

    /// Whom a finding concerns.
    var concerned: [DeviceUDID]? { udid.map { [$0] } }
}
