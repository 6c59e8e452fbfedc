import MachOFormat

/// What a new CodeDirectory keeps of the one that it replaces.
///
/// Xcode signs what is signed already with `--preserve-metadata=identifier,entitlements,flags`. That a
/// signature is ad hoc, or made by the linker, is a fact about the old one; codesign takes code that
/// the linker signed for unsigned.
struct InheritedFlags {
    let flags: CodeDirectory.Flags
    /// The version of the hardened runtime; nil for code without it.
    let runtime: PackedVersion?

    /// CS_HARD, CS_KILL, CS_CHECK_EXPIRATION, CS_RESTRICT, CS_ENFORCEMENT, CS_REQUIRE_LV and
    /// CS_RUNTIME: those that a file may set (xnu `CS_ALLOWED_MACHO`) and a signer chooses.
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
