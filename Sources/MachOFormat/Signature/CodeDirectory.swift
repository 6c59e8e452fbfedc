/// A CodeDirectory: the digests of the code's pages and of the special slots.
///
/// Xnu `CS_CodeDirectory`, versions 0x20001 to 0x20600. Digests are not copied; they are read from the
/// signature one by one.
package struct CodeDirectory: Sendable {
    /// The CS_* bits that rules need.
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// CS_ADHOC: the signature has no signer.
        package static let adHoc = Flags(rawValue: 0x2)
        /// CS_RUNTIME.
        package static let hardenedRuntime = Flags(rawValue: 0x1_0000)
    }

    /// The executable segment (version 0x20400), with offsets in the slice in bytes.
    package struct ExecutableSegment: Hashable, Sendable {
        /// CS_EXECSEG_* bits.
        package struct Flags: OptionSet, Hashable, Sendable {
            package let rawValue: UInt64

            package init(rawValue: UInt64) {
                self.rawValue = rawValue
            }

            /// CS_EXECSEG_MAIN_BINARY: the code is a main program, not a library.
            package static let mainBinary = Flags(rawValue: 0x1)
            /// CS_EXECSEG_ALLOW_UNSIGNED: the entitlements allow a debugger.
            package static let allowsUnsigned = Flags(rawValue: 0x10)
        }

        package let base: UInt64
        package let limit: UInt64
        package let flags: Flags
    }

    /// The digest of the libraries that the program may link (version 0x20600).
    package struct Linkage: Hashable, Sendable {
        package let hashType: HashType
        package let applicationType: UInt8
        package let applicationSubtype: UInt16
        /// The offset in the CodeDirectory in bytes.
        package let offset: Int
        package let size: Int
    }

    package let slot: BlobSlot
    /// The whole blob, whose digest identifies the code.
    package let bytes: ArraySlice<UInt8>
    /// The offset of the blob in the signature in bytes.
    package let offset: Int

    package let version: UInt32
    package let flags: Flags
    /// The offset in the blob of the digest of page 0, in bytes.
    package let hashOffset: Int
    package let identifierOffset: Int
    package let specialSlotCount: Int
    package let pageCount: Int
    /// The number of bytes that the pages cover, from the start of the slice.
    package let codeLimit: UInt64
    package let hashSize: Int
    package let hashType: HashType
    /// The platform identifier of Apple's own programs; 0 for all others.
    package let platform: UInt8
    /// 12 for 4 KiB; 0 for a single page that covers everything.
    package let pageSizeLog2: UInt8
    /// From version 0x20100; nil for 0.
    package let scatterOffset: Int?
    /// From version 0x20200; nil for 0.
    package let teamOffset: Int?
    package let executableSegment: ExecutableSegment?
    /// From version 0x20500: the packed version of the hardened runtime.
    package let runtime: PackedVersion?
    /// From version 0x20500; nil for 0.
    package let preEncryptOffset: Int?
    package let linkage: Linkage?

    /// All faults of this CodeDirectory.
    package var faults: [SignatureFault] { CodeDirectoryRules(self).faults }
}
