/// What a slice asks of the loader (`mach-o/loader.h`).
///
/// Offsets count from the start of the slice.
package enum LoadCommand: Hashable, Sendable {
    case segment(Segment)
    case buildVersion(BuildVersion)
    case encryption(EncryptionInfo)
    /// LC_CODE_SIGNATURE: where the signature is in the slice.
    case codeSignature(Range<Int>)
    /// LC_UUID: sixteen bytes.
    case uuid([UInt8])
    /// LC_MAIN: where the program begins.
    case entryPoint(offset: UInt64, stackSize: UInt64)
    case library(LinkedLibrary)
    /// LC_ID_DYLIB: what others link this library by.
    case identity(LinkedLibrary)
    case runPath(String)
    /// LC_LOAD_DYLINKER.
    case dynamicLinker(String)
    /// LC_SOURCE_VERSION: 24 bits for the first of five numbers, ten for each of the others.
    case sourceVersion(UInt64)
    /// A command that no rule needs; `size` is that of the whole command.
    case unknown(number: UInt32, size: Int)
}

/// LC_SEGMENT and LC_SEGMENT_64: a part of the file and where it goes.
package struct Segment: Hashable, Sendable {
    package let name: String
    package let address: UInt64
    /// Bytes in memory; `address + memorySize` does not overflow.
    package let memorySize: UInt64
    /// Inside the slice.
    package let fileRange: Range<Int>
    /// VM_PROT_* bits: 1 read, 2 write, 4 execute.
    package let maximumProtection: UInt32
    package let initialProtection: UInt32
    package let sectionCount: Int
    /// Where the first section that has bytes in the file begins, in bytes of the slice.
    ///
    /// Nil without such a section; the place need not be inside the slice.
    package let contentStart: Int?
    /// Where the section `__info_plist` is in the slice: the Info.plist of code without a bundle.
    package let informationRange: Range<Int>?
}

/// LC_BUILD_VERSION, or one of the LC_VERSION_MIN_* that came before it.
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

/// LC_ENCRYPTION_INFO: what FairPlay has encrypted, or may yet encrypt.
package struct EncryptionInfo: Hashable, Sendable {
    /// Inside the slice.
    package let range: Range<Int>
    /// 0 for a file that is not encrypted.
    package let identifier: UInt32

    package var isEncrypted: Bool { identifier != 0 }
}

/// A dynamic library that a slice names.
package struct LinkedLibrary: Hashable, Sendable {
    package enum Binding: Hashable, Sendable {
        case required
        /// May be missing at run time.
        case weak
        case reexported, lazy, upward
        /// LC_ID_DYLIB: the library itself.
        case own
    }

    package let binding: Binding
    /// An absolute path, or one that begins with `@rpath`, `@executable_path`, `@loader_path`.
    package let path: String
    package let currentVersion: PackedVersion
    package let compatibilityVersion: PackedVersion
}
