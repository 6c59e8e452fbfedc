import PropertyLists

/// The executable segment flags of a CodeDirectory: CS_EXECSEG_* (xnu `cs_blobs.h`).
enum ExecutableSegmentFlags {
    /// CS_EXECSEG_MAIN_BINARY.
    private static let mainBinary: UInt64 = 1

    /// Entitlements that set a flag when their value is true.
    private static let granted: [(key: String, flag: UInt64)] = [
        // CS_EXECSEG_ALLOW_UNSIGNED: a debugger may write to code.
        ("get-task-allow", 0x10),
        ("run-unsigned-code", 0x10),
        // CS_EXECSEG_JIT.
        ("dynamic-codesigning", 0x40),
    ]

    /// The flags of a main program with these entitlements.
    static func flags(for entitlements: PropertyList?) -> UInt64 {
        granted.reduce(mainBinary) { flags, entry in
            entitlements?[entry.key] == .boolean(true) ? flags | entry.flag : flags
        }
    }
}
