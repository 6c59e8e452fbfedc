/// Checks whether bytes are one JSON text (RFC 8259), as they arrive and without keeping them.
///
/// The contents of strings are not checked, not even for valid UTF-8: nothing reads them.
package struct JSONOutline: Sendable {
    /// The maximum depth of nested arrays and objects.
    private static let deepest = 512

    private enum Wanted { case value, valueOrEnd, name, nameOrEnd, colon, commaOrEnd, nothing }

    private enum Token {
        case string(isName: Bool), escape(isName: Bool), hex(Int, isName: Bool)
        case word(ArraySlice<UInt8>)
        case minus, zero, digits, point, fraction, exponent, exponentSign, exponentDigits
    }

    private var wanted = Wanted.value
    private var token: Token?
    /// For each open bracket, whether it is an object's.
    private var open: [Bool] = []
    private var isBroken = false

    package init() {}

    /// Whether everything so far is one complete text.
    package var isWhole: Bool {
        guard !isBroken, open.isEmpty else { return false }
        switch token {
        case nil: return wanted == .nothing
        case .zero, .digits, .fraction, .exponentDigits: return true
        default: return false
        }
    }

    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let isTaken: Void? = bytes.withContiguousStorageIfAvailable { stored in
            for index in stored.indices where !isBroken { unsafe take(stored[index]) }
        }
        if isTaken == nil { for byte in bytes where !isBroken { take(byte) } }
    }

    private mutating func take(_ byte: UInt8) {
        guard let token else { return begin(with: byte) }
        switch token {
        case .string(let isName): takeInString(byte, isName)
        case .escape(let isName):
            switch byte {
            case UInt8(ascii: "u"): self.token = .hex(4, isName: isName)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
                UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                self.token = .string(isName: isName)
            default: isBroken = true
            }
        case .hex(let count, let isName):
            guard byte.isHexadecimal else { return isBroken = true }
            self.token = count > 1 ? .hex(count - 1, isName: isName) : .string(isName: isName)
        case .word(let rest):
            guard rest.first == byte else { return isBroken = true }
            if rest.count > 1 { self.token = .word(rest.dropFirst()) } else { endValue() }
        default: takeInNumber(byte, token)
        }
    }

    private mutating func takeInString(_ byte: UInt8, _ isName: Bool) {
        switch byte {
        case UInt8(ascii: "\\"): token = .escape(isName: isName)
        case UInt8(ascii: "\""):
            if isName {
                token = nil
                wanted = .colon
            } else {
                endValue()
            }
        case 0..<0x20: isBroken = true
        default: break
        }
    }

    private mutating func takeInNumber(_ byte: UInt8, _ number: Token) {
        let isDigit = byte.isDigit
        let isExponent = byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
        switch number {
        case .minus where isDigit: token = byte == UInt8(ascii: "0") ? .zero : .digits
        case .digits where isDigit, .fraction where isDigit, .exponentDigits where isDigit: break
        case .zero where byte == UInt8(ascii: "."), .digits where byte == UInt8(ascii: "."):
            token = .point
        case .point where isDigit: token = .fraction
        case .zero where isExponent, .digits where isExponent, .fraction where isExponent:
            token = .exponent
        case .exponent where byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"):
            token = .exponentSign
        case .exponent where isDigit, .exponentSign where isDigit: token = .exponentDigits
        case .zero where !isDigit, .digits, .fraction, .exponentDigits:
            endValue()
            begin(with: byte)
        default: isBroken = true
        }
    }

    private mutating func begin(with byte: UInt8) {
        switch (byte, wanted) {
        case (0x20, _), (0x09, _), (0x0A, _), (0x0D, _): break
        case (UInt8(ascii: "\""), .name), (UInt8(ascii: "\""), .nameOrEnd):
            token = .string(isName: true)
        case (UInt8(ascii: ":"), .colon): wanted = .value
        case (UInt8(ascii: ","), .commaOrEnd): wanted = open.last == true ? .name : .value
        case (UInt8(ascii: "}"), .nameOrEnd): close(isObject: true)
        case (UInt8(ascii: "]"), .valueOrEnd): close(isObject: false)
        case (UInt8(ascii: "}"), .commaOrEnd): close(isObject: true)
        case (UInt8(ascii: "]"), .commaOrEnd): close(isObject: false)
        case (_, .value), (_, .valueOrEnd): beginValue(with: byte)
        default: isBroken = true
        }
    }

    private mutating func beginValue(with byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard open.count < Self.deepest else { return isBroken = true }
            let isObject = byte == UInt8(ascii: "{")
            open.append(isObject)
            wanted = isObject ? .nameOrEnd : .valueOrEnd
        case UInt8(ascii: "\""): token = .string(isName: false)
        case UInt8(ascii: "t"): token = .word(Array("rue".utf8)[...])
        case UInt8(ascii: "f"): token = .word(Array("alse".utf8)[...])
        case UInt8(ascii: "n"): token = .word(Array("ull".utf8)[...])
        case UInt8(ascii: "-"): token = .minus
        case UInt8(ascii: "0"): token = .zero
        case UInt8(ascii: "1")...UInt8(ascii: "9"): token = .digits
        default: isBroken = true
        }
    }

    private mutating func close(isObject: Bool) {
        guard open.popLast() == isObject else { return isBroken = true }
        endValue()
    }

    private mutating func endValue() {
        token = nil
        wanted = open.isEmpty ? .nothing : .commaOrEnd
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isHexadecimal: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
    }
}
