import Bytes

/// What tells one slice of a program from every other build of it (LC_UUID of `mach-o/loader.h`); the linker
/// makes it, signing leaves it alone, and a dSYM has the same.
package struct ImageUUID: Hashable, Sendable {
    /// Sixteen bytes.
    package let bytes: [UInt8]

    /// - Returns: nil for other than sixteen bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads 32 hexadecimal digits in either case, with or without the usual hyphens.
    ///
    /// - Returns: nil for anything else.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [32] || parts.map(\.count) == [8, 4, 4, 4, 12],
            let bytes = Hex.decode(String(decoding: parts.joined(), as: UTF8.self))
        else { return nil }
        self.init(bytes: bytes)
    }

    /// 32 lower-case digits without hyphens, for names of files.
    package var digits: String { Hex.encode(bytes) }
}

extension ImageUUID: CustomStringConvertible {
    /// In capitals and with hyphens, as Xcode and crash reports write it.
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
