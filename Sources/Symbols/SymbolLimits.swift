/// How much of a stranger's symbols and crash reports is read.
package enum SymbolLimits {
    /// Bytes of one file with symbols; those of the largest apps have one to two gigabytes.
    package static let fileBytes = 3 << 30
    /// Bytes of one archive as it is sent.
    package static let archiveBytes = 2 << 30
    /// Bytes of the Info.plist of a dSYM.
    static let informationBytes = 64 << 10
    /// Names checked in a folder.
    static let names = 100_000
    /// Folders in one another.
    static let depth = 40
    /// dSYMs in one place.
    package static let bundles = 1000
    /// Bytes of a name, such as `Browsey.app.dSYM`.
    static let nameBytes = 120

    /// Bytes of a crash report.
    package static let reportBytes = 16 << 20
    /// The same of one that a browser sends.
    package static let formReportBytes = 2 << 20
    /// Values of JSON in a crash report; each takes some 10 µs to decode, whatever it is.
    package static let values = 2_000_000
    /// The same of one that a browser sends.
    package static let formValues = 150_000
    package static let images = 20_000
    package static let threads = 4096
    /// Of all threads together.
    package static let frames = 50_000
}
