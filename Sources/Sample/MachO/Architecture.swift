/// The processor of a slice (`mach/machine.h`).
package enum Architecture: Sendable, CaseIterable {
    case arm64, arm64e, arm64eX1, armv7, armv7k, arm64_32, x86_64

    var cpuType: UInt32 {
        switch self {
        case .arm64, .arm64e, .arm64eX1: 0x0100_000c
        case .armv7, .armv7k: 12
        case .arm64_32: 0x0200_000c
        case .x86_64: 0x0100_0007
        }
    }

    var cpuSubtype: UInt32 {
        switch self {
        case .arm64: 0
        case .arm64e: 0x8000_0002
        case .arm64eX1: 0x8000_000c
        case .armv7: 9
        case .armv7k: 12
        case .arm64_32: 1
        case .x86_64: 3
        }
    }

    var is64Bit: Bool {
        switch self {
        case .arm64, .arm64e, .arm64eX1, .x86_64: true
        case .armv7, .armv7k, .arm64_32: false
        }
    }

    /// The instructions of `return 0`, which are the whole program.
    var program: [UInt8] {
        switch self {
        case .arm64, .arm64e, .arm64eX1, .arm64_32:
            [0x00, 0x00, 0x80, 0x52, 0xc0, 0x03, 0x5f, 0xd6]
        case .armv7, .armv7k: [0x00, 0x00, 0xa0, 0xe3, 0x1e, 0xff, 0x2f, 0xe1]
        case .x86_64: [0x31, 0xc0, 0xc3, 0x90]
        }
    }
}

/// The platform of a slice, with the numbers of LC_BUILD_VERSION.
package enum MachOPlatform: UInt32, Sendable {
    case macOS = 1
    case iOS = 2
    case tvOS = 3
    case watchOS = 4
    case macCatalyst = 6
    case iOSSimulator = 7
    case visionOS = 11
}
