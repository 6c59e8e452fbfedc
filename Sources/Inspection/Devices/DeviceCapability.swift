import Bundles
import Identifiers

/// A value of `UIRequiredDeviceCapabilities`, and which devices have what it stands for.
///
/// As Apple lists them in "UIRequiredDeviceCapabilities" (Information Property List) and "Required
/// Device Capabilities" (Support).
struct DeviceCapability {
    /// How far the devices of one kind have it.
    enum Extent: Equatable {
        case all
        case none
        /// Every generation from this one on and none before.
        case from(Int)
        /// None before this generation; of the later ones not every model.
        case notBefore(Int)
        /// Probably none, and no document says so.
        case hardly
        /// Some do and some do not.
        case some
    }

    /// What is known of one device.
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

    /// By the model where it is known, else by the family.
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

    /// iPhone6 is iPhone 5s, the first of 64 bits; iPhone8 has an A9, iPhone9 is iPhone 7, iPhone11
    /// has an A12, iPhone16 is iPhone 15 Pro; iPad4 is the first iPad Air, iPad6 has an A9 and iPad8
    /// an A12X; the first iPad with an M1 is an iPad13.
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
