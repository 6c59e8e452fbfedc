import MachOFormat

/// The flags that a new CodeDirectory inherits from the one that it replaces.
///
/// Xcode re-signs code with `--preserve-metadata=identifier,entitlements,flags`. The ad hoc and
/// linker-signed flags describe only the old signature and are not inherited; codesign treats
/// linker-signed code as unsigned.
struct InheritedFlags {
    let flags: CodeDirectory.Flags
    /// The version of the hardened runtime; nil without the hardened runtime.
    let runtime: PackedVersion?

    /// CS_HARD, CS_KILL, CS_CHECK_EXPIRATION, CS_RESTRICT, CS_ENFORCEMENT, CS_REQUIRE_LV and CS_RUNTIME:
    /// the flags that a file may set (xnu `CS_ALLOWED_MACHO`) and a signer can choose.
    private static let kept: UInt32 = 0x1_3f00
    /// CS_LINKER_SIGNED.
    private static let linkerSigned = CodeDirectory.Flags(rawValue: 0x2_0000)

    init(_ slice: BinarySlice) {
        let old = (try? slice.signature())?.primary
        guard let old, !old.flags.contains(Self.linkerSigned) else {
            flags = []
            runtime = nil
            return
        }
        flags = CodeDirectory.Flags(rawValue: old.flags.rawValue & Self.kept)
        guard flags.contains(.hardenedRuntime) else {
            runtime = nil
            return
        }
        let stated = old.runtime.flatMap { $0.rawValue == 0 ? nil : $0 }
        runtime = stated ?? slice.buildVersions.first?.sdk ?? PackedVersion(rawValue: 0)
    }
}
