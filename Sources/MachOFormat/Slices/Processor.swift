/// The processor type of a slice: `cputype` and `cpusubtype` (`mach/machine.h`).
package enum Processor: Hashable, Sendable {
    case arm64, arm64e
    /// Listed beside arm64e in the SDKs of 2026; Apple has not said which devices run it.
    case arm64eX1
    case armv7, armv7s, armv7k
    /// 64-bit instructions with 32-bit pointers: Apple Watch.
    case arm64_32
    case x86_64, i386
    /// The type, and the subtype without its capability bits.
    case unknown(type: UInt32, subtype: UInt32)

    /// Creates the processor from the numbers in a header.
    ///
    /// The high byte of a subtype has capability bits, such as the version of pointer authentication, and
    /// does not distinguish processors.
    package init(type: UInt32, subtype: UInt32) {
        let subtype = subtype & 0x00ff_ffff
        self =
            switch (type, subtype) {
            case (0x0100_000c, 0), (0x0100_000c, 1): .arm64
            case (0x0100_000c, 2): .arm64e
            case (0x0100_000c, 12): .arm64eX1
            case (12, 9): .armv7
            case (12, 11): .armv7s
            case (12, 12): .armv7k
            case (0x0200_000c, 0), (0x0200_000c, 1): .arm64_32
            case (0x0100_0007, 3): .x86_64
            case (7, 3): .i386
            default: .unknown(type: type, subtype: subtype)
            }
    }
}

extension Processor: CustomStringConvertible {
    /// The name that lipo and clang use.
    package var description: String {
        switch self {
        case .arm64: "arm64"
        case .arm64e: "arm64e"
        case .arm64eX1: "arm64e.x1"
        case .armv7: "armv7"
        case .armv7s: "armv7s"
        case .armv7k: "armv7k"
        case .arm64_32: "arm64_32"
        case .x86_64: "x86_64"
        case .i386: "i386"
        case .unknown(let type, let subtype): "cpu \(type).\(subtype)"
        }
    }
}
