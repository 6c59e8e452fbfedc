/// Finds device identifiers in a text: known ones in any spelling, and everything in the form of today's
/// identifiers: 8 digits, a hyphen, 16 digits.
package struct DeviceSearch: Sendable {
    /// Identifiers in lower case without hyphens, of 24 or 40 digits.
    package let devices: Set<String>
    /// The digits of the identifiers, by the value of their first sixteen.
    private let byBeginning: [UInt64: [[UInt8]]]

    private static let lengths = [24, 40]
    private static let beginning = 16

    /// - Parameter registers: device registers; each run of 24 or 40 hexadecimal digits is an identifier.
    package init(of registers: [[UInt8]]) {
        var devices: Set<String> = []
        for register in registers {
            Self.eachRun(of: register) { digits, _ in
                guard Self.lengths.contains(digits.count) else { return }
                // All zeros is how git writes that there is no commit.
                guard digits.contains(where: { $0 != 0 }) else { return }
                devices.insert(Self.text(digits))
            }
        }
        self.init(devices)
    }

    /// - Parameter devices: identifiers in lower case, without hyphens.
    package init(_ devices: Set<String>) {
        self.devices = devices
        var byBeginning: [UInt64: [[UInt8]]] = [:]
        for device in devices {
            let digits = device.utf8.compactMap(Self.digit)
            guard Self.lengths.contains(digits.count) else { continue }
            byBeginning[Self.value(digits.prefix(Self.beginning)), default: []].append(digits)
        }
        self.byBeginning = byBeginning
    }

    /// The identifiers that occur in `bytes`, in lower case without hyphens.
    package func found(in bytes: [UInt8]) -> Set<String> {
        var found: Set<String> = []
        Self.eachRun(of: bytes) { digits, spelling in
            if spelling.count == 25, spelling[spelling.startIndex + 8] == UInt8(ascii: "-"),
                digits.count == 24
            {
                found.insert(Self.text(digits))
            }
            var value = Self.value(digits.prefix(Self.beginning - 1))
            for start in 0...(digits.count - Self.lengths[0]) {
                // Shifting drops the oldest of the sixteen digits.
                value = value << 4 | UInt64(digits[start + Self.beginning - 1])
                for device in byBeginning[value] ?? []
                where digits[start...].starts(with: device) {
                    found.insert(Self.text(device))
                }
            }
        }
        return found
    }

    /// Calls `body` for each run of hexadecimal digits and hyphens that is long enough for an identifier,
    /// with the values of its digits and its bytes.
    private static func eachRun(
        of bytes: [UInt8],
        _ body: (_ digits: [UInt8], _ spelling: ArraySlice<UInt8>) -> Void,
    ) {
        var place = 0
        while place < bytes.count {
            var end = place
            while end < bytes.count, isDigitOrHyphen(bytes[end]) { end += 1 }
            if end - place >= lengths[0] {
                let spelling = bytes[place..<end]
                let digits = spelling.compactMap(digit)
                if digits.count >= lengths[0] { body(digits, spelling) }
            }
            place = end + 1
        }
    }

    private static func isDigitOrHyphen(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || digit(byte) != nil
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func value(_ digits: ArraySlice<UInt8>) -> UInt64 {
        digits.reduce(0) { $0 << 4 | UInt64($1) }
    }

    private static func text(_ digits: [UInt8]) -> String {
        digits.map { String($0, radix: 16) }.joined()
    }
}
