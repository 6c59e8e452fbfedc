package import Bundles
import Bytes

/// A product family as Apple counts device slots: 100 each, iPod touch apart from iPhone.
///
/// Source: Apple Developer account help, "Devices overview".
package enum ProductFamily: String, WordCoded, Sendable {
    case iphone, ipad, ipod, watch, tv, vision, mac

    /// The family of a product type such as `iPhone15,2`; nil when its name is of none.
    package init?(model: String) {
        let prefixes: [(String, ProductFamily)] = [
            ("iPhone", .iphone), ("iPad", .ipad), ("iPod", .ipod), ("Watch", .watch),
            ("AppleTV", .tv), ("RealityDevice", .vision), ("Mac", .mac), ("iMac", .mac),
        ]
        guard let match = prefixes.first(where: { model.hasPrefix($0.0) }) else { return nil }
        self = match.1
    }

    /// What `UIDeviceFamily` calls it; nil for a Mac.
    package var deviceFamily: DeviceFamily? {
        switch self {
        case .iphone, .ipod: .phone
        case .ipad: .pad
        case .watch: .watch
        case .tv: .tv
        case .vision: .vision
        case .mac: nil
        }
    }

    /// The name on the box.
    package var title: String {
        switch self {
        case .iphone: "iPhone"
        case .ipad: "iPad"
        case .ipod: "iPod touch"
        case .watch: "Apple Watch"
        case .tv: "Apple TV"
        case .vision: "Apple Vision"
        case .mac: "Mac"
        }
    }
}
