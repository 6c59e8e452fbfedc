import MachOFormat

extension CodeHash {
    /// The hash algorithms that codesign uses for a file's CodeDirectories, the primary one first.
    ///
    /// Security `MachORep::prepareForSigning`: only SHA-256 when the oldest supported system reads it;
    /// SHA-1 first and SHA-256 as alternate for iOS and tvOS before 11, for every watchOS, and for slices
    /// without a build version.
    static func choice(for file: MachOFile) -> [CodeHash] {
        file.slices.contains(where: needsSHA1) ? [.sha1, .sha256] : [.sha256]
    }

    private static func needsSHA1(_ slice: BinarySlice) -> Bool {
        guard let version = slice.buildVersions.first else { return true }
        switch version.platform {
        case .iOS, .tvOS: return version.minimumOS.major < 11
        case .macOS: return version.minimumOS < PackedVersion(rawValue: 0x000a_0b04)
        case .watchOS: return true
        default: return false
        }
    }
}
