import Bytes

/// A product family for which Apple counts devices: 100 of each, with iPod touch separate from iPhone.
///
/// Source: Apple Developer account help, "Devices overview".
package enum ProductFamily: String, WordCoded, Sendable {
    case iphone, ipad, ipod, watch, tv, vision, mac

    /// The family of a model in a document, such as `iPhone15,2`; nil for an unknown one.
    package init?(model: String) {
        let letters = model.utf8.prefix {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        }
        self.init(line: String(decoding: Array(letters), as: UTF8.self))
    }

    /// The family of a product line, the leading letters of a product type.
    init?(line: String) {
        switch line {
        case "iPhone": self = .iphone
        case "iPad": self = .ipad
        case "iPod": self = .ipod
        case "Watch": self = .watch
        case "AppleTV": self = .tv
        case "RealityDevice": self = .vision
        case "iMac", "iMacPro": self = .mac
        default:
            guard line.hasPrefix("Mac") else { return nil }
            self = .mac
        }
    }

    /// The corresponding family in `UIDeviceFamily`; nil for a Mac.
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

    /// The product name.
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
