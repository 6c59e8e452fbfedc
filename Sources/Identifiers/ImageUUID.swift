import Bytes

/// The UUID of one slice of a build (LC_UUID of `mach-o/loader.h`).
///
/// The linker creates it, signing does not change it, and the dSYM has the same one.
package struct ImageUUID: Hashable, Sendable {
    /// Sixteen bytes.
    package let bytes: [UInt8]

    /// - Returns: nil unless there are sixteen bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses 32 hexadecimal digits in either case, with or without the usual hyphens.
    ///
    /// - Returns: nil for anything else.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [32] || parts.map(\.count) == [8, 4, 4, 4, 12],
            let bytes = Hex.decode(String(decoding: parts.joined(), as: UTF8.self))
        else { return nil }
        self.init(bytes: bytes)
    }

    /// 32 lower-case digits without hyphens, for file names.
    package var digits: String { Hex.encode(bytes) }
}

extension ImageUUID: CustomStringConvertible {
    /// In upper case with hyphens, as in Xcode and crash reports.
    package var description: String {
        var text = ""
        for (index, digit) in digits.uppercased().enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}

extension ImageUUID: TextCoded {
    package static let kindOfText = "a UUID such as 0E32EB0D-C511-4B5E-A5BD-7C4C0A6C7F3B"
}
