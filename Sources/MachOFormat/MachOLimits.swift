/// Bounds on what a file may claim; real files stay far below, and dyld refuses most beyond.
package enum MachOLimits {
    /// Apple has shipped files with five.
    package static let slices = 16
    package static let commands = 10_000
    /// Bytes of all load commands of a slice.
    package static let commandBytes = 1 << 20
    /// Bytes of the Info.plist inside a slice: as many as are read of one beside it.
    package static let informationBytes = 1 << 20
    /// Bytes of the signatures of all slices of a file: SHA-256 pages of 8 GiB of code.
    package static let signatureBytes = 64 << 20
}
