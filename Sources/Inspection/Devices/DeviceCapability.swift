import Bundles
import Identifiers

/// A value of `UIRequiredDeviceCapabilities`, and the devices that have the capability.
///
/// Source: Apple, "UIRequiredDeviceCapabilities" (Information Property List) and "Required Device
/// Capabilities" (Support).
struct DeviceCapability {
    /// Which devices of one family have the capability.
    enum Extent: Equatable {
        case all
        case none
        /// Every generation from this one on, and none before it.
        case from(Int)
        /// No generation before this one; of the later ones, some models.
        case notBefore(Int)
        /// Probably none; no document says so.
        case hardly
        /// Some models.
        case some
    }

    /// Whether one device has the capability.
    enum Support: Equatable {
        case present, absent, probablyAbsent, unknown
    }

    let name: String
    let phone: Extent
    let pad: Extent
    let pod: Extent

    init(_ name: String, phone: Extent = .all, pad: Extent = .all, pod: Extent = .all) {
        self.name = name
        self.phone = phone
        self.pad = pad
        self.pod = pod
    }

    /// Decides by the model where it is known, else by the family.
    func support(of model: ProductType?, family: DeviceFamily?) -> Support {
        switch model?.family {
        case .iphone: support(phone, from: model?.generation)
        case .ipad: support(pad, from: model?.generation)
        case .ipod: support(pod, from: model?.generation)
        default:
            switch family {
            case .phone: phone == pod ? support(phone, from: nil) : .unknown
            case .pad: support(pad, from: nil)
            default: .unknown
            }
        }
    }

    private func support(_ extent: Extent, from generation: Int?) -> Support {
        switch extent {
        case .all: .present
        case .none: .absent
        case .from(let first): generation.map { $0 < first ? .absent : .present } ?? .unknown
        case .notBefore(let first): generation.map { $0 < first ? .absent : .unknown } ?? .unknown
        case .hardly: .probablyAbsent
        case .some: .unknown
        }
    }
}

extension DeviceCapability {
    /// - Returns: nil for a name that Apple's list does not have.
    static func named(_ name: String) -> DeviceCapability? { all.first { $0.name == name } }

    /// The generations are those of product types: iPhone6 is the iPhone 5s, the first with 64 bits;
    /// iPhone8 has an A9, iPhone9 is the iPhone 7, iPhone11 has an A12, iPhone16 is the iPhone 15 Pro;
    /// iPad4 is the first iPad Air, iPad6 has an A9, iPad8 an A12X, and iPad13 is the first with an M1.
    static let all: [DeviceCapability] = [
        DeviceCapability("accelerometer"),
        DeviceCapability("arkit", phone: .from(8), pad: .from(6), pod: .from(9)),
        DeviceCapability("arm64", phone: .from(6), pad: .from(4), pod: .from(7)),
        DeviceCapability("armv6", phone: .some, pad: .some, pod: .some),
        DeviceCapability("armv7"),
        DeviceCapability("auto-focus-camera", pad: .from(3), pod: .from(5)),
        DeviceCapability("bluetooth-le", phone: .from(4), pad: .some, pod: .from(5)),
        DeviceCapability("camera-flash", pad: .some, pod: .from(5)),
        DeviceCapability("driverkit", phone: .none, pad: .notBefore(13), pod: .none),
        DeviceCapability("front-facing-camera", phone: .from(3), pad: .from(2), pod: .from(4)),
        DeviceCapability("gamekit"),
        DeviceCapability("gps", pad: .some, pod: .none),
        DeviceCapability("gyroscope", phone: .from(3), pad: .from(2), pod: .from(4)),
        DeviceCapability("healthkit", pad: .none),
        DeviceCapability(
            "iphone-ipad-minimum-performance-a12",
            phone: .from(11),
            pad: .from(8),
            pod: .none,
        ),
        DeviceCapability(
            "iphone-performance-gaming-tier",
            phone: .notBefore(16),
            pad: .notBefore(13),
            pod: .none,
        ),
        DeviceCapability("location-services"),
        DeviceCapability("magnetometer", pod: .none),
        DeviceCapability("metal", phone: .from(6), pad: .from(4), pod: .from(7)),
        DeviceCapability("microphone"),
        DeviceCapability("nfc", phone: .from(9), pad: .none, pod: .none),
        DeviceCapability("opengles-1"),
        DeviceCapability("opengles-2"),
        DeviceCapability("opengles-3", phone: .from(6), pad: .from(4), pod: .from(7)),
        DeviceCapability("peer-peer"),
        DeviceCapability("sms", pad: .hardly, pod: .hardly),
        DeviceCapability("still-camera", pad: .from(2), pod: .from(4)),
        DeviceCapability("telephony", pad: .none, pod: .none),
        DeviceCapability("video-camera", pad: .from(2), pod: .from(4)),
        DeviceCapability("wifi"),
        DeviceCapability("watch-companion", pad: .hardly, pod: .hardly),
        DeviceCapability(
            "ipad-minimum-performance-m1",
            phone: .some,
            pad: .notBefore(13),
            pod: .some,
        ),
    ]
}
