/// Limits for the contents of a file; real files are far below them, and dyld refuses most files above
/// them.
package enum MachOLimits {
    /// The maximum number of slices; Apple has shipped files with five.
    package static let slices = 16
    package static let commands = 10_000
    /// The maximum size of a slice's load commands in bytes.
    package static let commandBytes = 1 << 20
    /// The maximum size of the Info.plist inside a slice in bytes, the same as for a separate one.
    package static let informationBytes = 1 << 20
    /// The maximum size of the signatures of all slices in bytes: SHA-256 page digests of 8 GiB of code.
    package static let signatureBytes = 64 << 20
}
