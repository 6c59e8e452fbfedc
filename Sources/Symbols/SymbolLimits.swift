/// Limits for untrusted symbols and crash reports.
package enum SymbolLimits {
    /// The size of a symbol file in bytes; those of the largest apps have one to two gigabytes.
    package static let fileBytes = 3 << 30
    /// The size of an uploaded archive in bytes.
    package static let archiveBytes = 2 << 30
    /// The size of a dSYM's Info.plist in bytes.
    static let informationBytes = 64 << 10
    /// The number of names read in a folder.
    static let names = 100_000
    /// The depth of nested folders.
    static let depth = 40
    /// The number of dSYMs in one source.
    package static let bundles = 1000
    /// The length of a name such as `Browsey.app.dSYM` in bytes.
    static let nameBytes = 120

    /// The size of a crash report in bytes.
    package static let reportBytes = 16 << 20
    /// The size of a crash report from a browser in bytes.
    package static let formReportBytes = 2 << 20
    /// The number of JSON values in a crash report; each takes about 10 µs to decode.
    package static let values = 2_000_000
    /// The number of JSON values in a crash report from a browser.
    package static let formValues = 150_000
    package static let images = 20_000
    package static let threads = 4096
    /// The number of frames of all threads together.
    package static let frames = 50_000
}
