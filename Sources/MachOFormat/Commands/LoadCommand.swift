/// A load command (`mach-o/loader.h`).
///
/// Offsets are relative to the start of the slice.
package enum LoadCommand: Hashable, Sendable {
    case segment(Segment)
    case buildVersion(BuildVersion)
    case encryption(EncryptionInfo)
    /// LC_CODE_SIGNATURE: the range of the signature in the slice.
    case codeSignature(Range<Int>)
    /// LC_UUID: sixteen bytes.
    case uuid([UInt8])
    /// LC_MAIN: the entry point.
    case entryPoint(offset: UInt64, stackSize: UInt64)
    case library(LinkedLibrary)
    /// LC_ID_DYLIB: the name by which others link this library.
    case identity(LinkedLibrary)
    case runPath(String)
    /// LC_LOAD_DYLINKER.
    case dynamicLinker(String)
    /// LC_SOURCE_VERSION: five numbers, 24 bits for the first and ten for each of the others.
    case sourceVersion(UInt64)
    /// A command that no rule needs; `size` is the size of the whole command in bytes.
    case unknown(number: UInt32, size: Int)
}

/// LC_SEGMENT and LC_SEGMENT_64: a part of the file and its address in memory.
package struct Segment: Hashable, Sendable {
    package let name: String
    package let address: UInt64
    /// Size in memory in bytes; `address + memorySize` does not overflow.
    package let memorySize: UInt64
    /// The range in the slice.
    package let fileRange: Range<Int>
    /// VM_PROT_* bits: 1 read, 2 write, 4 execute.
    package let maximumProtection: UInt32
    package let initialProtection: UInt32
    package let sectionCount: Int
    /// The offset in the slice of the first section with bytes in the file.
    ///
    /// Nil without such a section; the offset need not be inside the slice.
    package let contentStart: Int?
    /// The range in the slice of the section `__info_plist`: the Info.plist of code without a bundle.
    package let informationRange: Range<Int>?
}

/// LC_BUILD_VERSION, or one of its predecessors LC_VERSION_MIN_*.
package struct BuildVersion: Hashable, Sendable {
    package struct Tool: Hashable, Sendable {
        /// 1 clang, 2 swift, 3 ld, 4 lld.
        package let number: UInt32
        package let version: PackedVersion
    }

    package let platform: BuildPlatform
    package let minimumOS: PackedVersion
    package let sdk: PackedVersion
    /// Empty for the older commands.
    package let tools: [Tool]
    /// Whether this is one of LC_VERSION_MIN_*.
    package let isLegacy: Bool
}

/// LC_ENCRYPTION_INFO: the range that FairPlay has encrypted, or may encrypt later.
package struct EncryptionInfo: Hashable, Sendable {
    /// The range in the slice.
    package let range: Range<Int>
    /// 0 if it is not encrypted.
    package let identifier: UInt32

    package var isEncrypted: Bool { identifier != 0 }
}

/// A dynamic library that a slice links, or that it is.
package struct LinkedLibrary: Hashable, Sendable {
    package enum Binding: Hashable, Sendable {
        case required
        /// It may be missing at run time.
        case weak
        case reexported, lazy, upward
        /// LC_ID_DYLIB: the slice itself.
        case own
    }

    package let binding: Binding
    /// An absolute path, or one that begins with `@rpath`, `@executable_path` or `@loader_path`.
    package let path: String
    package let currentVersion: PackedVersion
    package let compatibilityVersion: PackedVersion
}
