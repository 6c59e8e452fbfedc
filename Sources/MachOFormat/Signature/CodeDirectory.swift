/// What a signature says about its code: a digest for each page and each special slot.
///
/// Xnu `CS_CodeDirectory`, versions 0x20001 to 0x20600. Digests stay where they are in the
/// signature and are checked one by one.
package struct CodeDirectory: Sendable {
    /// CS_* bits that a rule asks for.
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// CS_ADHOC: a signature without a signer.
        package static let adHoc = Flags(rawValue: 0x2)
        /// CS_RUNTIME.
        package static let hardenedRuntime = Flags(rawValue: 0x1_0000)
    }

    /// The executable segment (version 0x20400), in bytes of the slice.
    package struct ExecutableSegment: Hashable, Sendable {
        /// CS_EXECSEG_* bits.
        package struct Flags: OptionSet, Hashable, Sendable {
            package let rawValue: UInt64

            package init(rawValue: UInt64) {
                self.rawValue = rawValue
            }

            /// A main program, not a library.
            package static let mainBinary = Flags(rawValue: 0x1)
            /// The entitlements allow a debugger.
            package static let allowsUnsigned = Flags(rawValue: 0x10)
        }

        package let base: UInt64
        package let limit: UInt64
        package let flags: Flags
    }

    /// The digest of what the program may be linked with (version 0x20600).
    package struct Linkage: Hashable, Sendable {
        package let hashType: HashType
        package let applicationType: UInt8
        package let applicationSubtype: UInt16
        /// In bytes of the CodeDirectory.
        package let offset: Int
        package let size: Int
    }

    package let slot: BlobSlot
    /// The whole blob: the digest of these bytes is the identity of the code.
    package let bytes: ArraySlice<UInt8>
    /// Where the blob begins, in bytes of the signature.
    package let offset: Int

    package let version: UInt32
    package let flags: Flags
    /// Where the digest of page 0 is, in bytes of the blob.
    package let hashOffset: Int
    package let identifierOffset: Int
    package let specialSlotCount: Int
    package let pageCount: Int
    /// How many bytes of the slice, from its start, the pages cover.
    package let codeLimit: UInt64
    package let hashSize: Int
    package let hashType: HashType
    /// The platform identifier of Apple's own programs; 0 for all others.
    package let platform: UInt8
    /// 12 for 4 KiB; 0 for a single page that is everything.
    package let pageSizeLog2: UInt8
    /// From version 0x20100; nil for 0.
    package let scatterOffset: Int?
    /// From version 0x20200; nil for 0.
    package let teamOffset: Int?
    package let executableSegment: ExecutableSegment?
    /// From version 0x20500: the version of the hardened runtime, packed.
    package let runtime: PackedVersion?
    /// From version 0x20500; nil for 0.
    package let preEncryptOffset: Int?
    package let linkage: Linkage?

    /// Everything about this CodeDirectory that is wrong.
    package var faults: [SignatureFault] { CodeDirectoryRules(self).faults }
}
