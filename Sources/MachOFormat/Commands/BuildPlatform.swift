/// The platform for which a slice was built, with the numbers of LC_BUILD_VERSION (`mach-o/loader.h`).
package enum BuildPlatform: Hashable, Sendable {
    case macOS, iOS, tvOS, watchOS, bridgeOS, macCatalyst
    case iOSSimulator, tvOSSimulator, watchOSSimulator
    case driverKit, visionOS, visionOSSimulator
    case unknown(UInt32)

    package init(_ number: UInt32) {
        self =
            switch number {
            case 1: .macOS
            case 2: .iOS
            case 3: .tvOS
            case 4: .watchOS
            case 5: .bridgeOS
            case 6: .macCatalyst
            case 7: .iOSSimulator
            case 8: .tvOSSimulator
            case 9: .watchOSSimulator
            case 10: .driverKit
            case 11: .visionOS
            case 12: .visionOSSimulator
            default: .unknown(number)
            }
    }
}

extension BuildPlatform: CustomStringConvertible {
    package var description: String {
        switch self {
        case .macOS: "macOS"
        case .iOS: "iOS"
        case .tvOS: "tvOS"
        case .watchOS: "watchOS"
        case .bridgeOS: "bridgeOS"
        case .macCatalyst: "Mac Catalyst"
        case .iOSSimulator: "iOS Simulator"
        case .tvOSSimulator: "tvOS Simulator"
        case .watchOSSimulator: "watchOS Simulator"
        case .driverKit: "DriverKit"
        case .visionOS: "visionOS"
        case .visionOSSimulator: "visionOS Simulator"
        case .unknown(let number): "platform \(number)"
        }
    }
}
