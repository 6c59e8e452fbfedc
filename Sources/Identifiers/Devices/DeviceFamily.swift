/// A device family, with the numbers of `UIDeviceFamily`.
package enum DeviceFamily: Hashable, Sendable {
    case phone
    case pad
    case tv
    case watch
    case vision
    /// A number whose meaning is not known.
    case unknown(Int)

    package init(number: Int) {
        self = Self.named.first { $0.number == number } ?? .unknown(number)
    }

    /// - Returns: nil for a name that ``name`` does not produce.
    package init?(name: String) {
        if let family = Self.named.first(where: { $0.name == name }) {
            self = family
        } else if name.hasPrefix("family-"), let number = Int(name.dropFirst("family-".count)) {
            self = DeviceFamily(number: number)
        } else {
            return nil
        }
    }

    /// The number in `UIDeviceFamily`.
    package var number: Int {
        switch self {
        case .phone: 1
        case .pad: 2
        case .tv: 3
        case .watch: 4
        case .vision: 7
        case .unknown(let number): number
        }
    }

    /// The name in JSON: `iphone`, `ipad`, `tv`, `watch`, `vision`, or `family-9`.
    package var name: String {
        switch self {
        case .phone: "iphone"
        case .pad: "ipad"
        case .tv: "tv"
        case .watch: "watch"
        case .vision: "vision"
        case .unknown(let number): "family-\(number)"
        }
    }

    /// The name for people.
    package var title: String {
        switch self {
        case .phone: "iPhone"
        case .pad: "iPad"
        case .tv: "Apple TV"
        case .watch: "Apple Watch"
        case .vision: "Apple Vision"
        case .unknown(let number): "device family \(number)"
        }
    }

    /// Whether an app for `families` runs on a device of this family.
    ///
    /// iPad and Apple Vision also run apps for iPhone; iPhone does not run apps for iPad only.
    package func runs(appsFor families: [DeviceFamily]) -> Bool {
        switch self {
        case .pad: families.contains(.pad) || families.contains(.phone)
        case .vision: [.vision, .pad, .phone].contains { families.contains($0) }
        default: families.contains(self)
        }
    }

    private static let named: [DeviceFamily] = [.phone, .pad, .tv, .watch, .vision]
}

extension DeviceFamily: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let family = DeviceFamily(name: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not a device family",
            )
        }
        self = family
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
