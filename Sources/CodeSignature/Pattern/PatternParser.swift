/// A node of a parsed pattern.
indirect enum PatternNode {
    case bytes(ByteSet)
    case start
    case end
    case sequence([PatternNode])
    case alternatives([PatternNode])
    case repeated(PatternNode, atLeast: Int, atMost: Int?)
}

/// Parses a POSIX extended regular expression (IEEE 1003.1 section 9.4).
struct PatternParser {
    /// Maximum length in bytes; Apple's longest pattern has about a hundred.
    static let greatestLength = 1024
    static let greatestDepth = 32
    /// `RE_DUP_MAX`.
    static let greatestCount = 255

    private let pattern: [UInt8]
    private var position = 0
    private var depth = 0

    init(_ pattern: [UInt8]) {
        self.pattern = pattern
    }

    mutating func expression() throws(MalformedPattern) -> PatternNode {
        guard pattern.count <= Self.greatestLength else { throw malformed("too long") }
        guard !pattern.isEmpty else { throw malformed("nothing to look for") }
        let node = try alternatives()
        guard position == pattern.count else { throw malformed("unbalanced parenthesis") }
        return node
    }

    private var next: UInt8? { position < pattern.count ? pattern[position] : nil }

    private mutating func accept(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private func malformed(_ reason: String) -> MalformedPattern {
        MalformedPattern(offset: position, reason: reason)
    }

    private mutating func alternatives() throws(MalformedPattern) -> PatternNode {
        var branches = [try branch()]
        while accept("|") { branches.append(try branch()) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func branch() throws(MalformedPattern) -> PatternNode {
        var parts: [PatternNode] = []
        while let byte = next, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
            var part = try atom()
            while let counts = try repetition() {
                part = .repeated(part, atLeast: counts.least, atMost: counts.most)
            }
            parts.append(part)
        }
        return .sequence(parts)
    }

    private mutating func atom() throws(MalformedPattern) -> PatternNode {
        if accept("^") { return .start }
        if accept("$") { return .end }
        if accept(".") { return .bytes(.all) }
        if accept("(") { return try group() }
        if accept("[") { return .bytes(try bracket()) }
        if accept("\\") {
            // POSIX leaves escaped letters and digits undefined, and systems differ.
            guard let byte = next, byte < 0x80, !Self.isLetterOrDigit(byte) else {
                throw malformed("unknown escape")
            }
            position += 1
            return .bytes(ByteSet(byte))
        }
        guard let byte = next, !Array("*+?{".utf8).contains(byte) else {
            throw malformed("nothing to repeat")
        }
        position += 1
        return .bytes(ByteSet(byte))
    }

    private mutating func group() throws(MalformedPattern) -> PatternNode {
        depth += 1
        guard depth <= Self.greatestDepth else { throw malformed("nested too deep") }
        let node = try alternatives()
        guard accept(")") else { throw malformed("unbalanced parenthesis") }
        depth -= 1
        return node
    }

    private mutating func repetition() throws(MalformedPattern) -> (least: Int, most: Int?)? {
        if accept("*") { return (0, nil) }
        if accept("+") { return (1, nil) }
        if accept("?") { return (0, 1) }
        guard accept("{") else { return nil }
        guard let least = number() else { throw malformed("unreadable count") }
        let most = accept(",") ? number() : least
        guard accept("}"), least <= Self.greatestCount, most ?? least <= Self.greatestCount,
            least <= most ?? least
        else { throw malformed("unreadable count") }
        return (least, most)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            value = min((value ?? 0) * 10 + Int(byte - UInt8(ascii: "0")), 100_000)
            position += 1
        }
        return value
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        NamedBytes.alnum.contains(byte)
    }
}

extension PatternParser {
    /// Parses the rest of a bracket expression; `]` as its first byte does not close it.
    private mutating func bracket() throws(MalformedPattern) -> ByteSet {
        let isInverted = accept("^")
        var set = ByteSet()
        var isFirst = true
        while isFirst || next != UInt8(ascii: "]") {
            isFirst = false
            if let named = try namedClass() {
                set.formUnion(named)
                continue
            }
            let low = try member()
            guard next == UInt8(ascii: "-"), position + 1 < pattern.count,
                pattern[position + 1] != UInt8(ascii: "]")
            else {
                set.insert(low)
                continue
            }
            position += 1
            let high = try member()
            guard low <= high else { throw malformed("range that runs backwards") }
            for byte in low...high { set.insert(byte) }
        }
        position += 1
        return isInverted ? set.inverted : set
    }

    private mutating func member() throws(MalformedPattern) -> UInt8 {
        guard let byte = next else { throw malformed("unbalanced bracket") }
        // Each byte of a multi-byte letter would match on its own.
        guard byte < 0x80 else { throw malformed("bracket beyond ASCII") }
        position += 1
        return byte
    }

    private mutating func namedClass() throws(MalformedPattern) -> ByteSet? {
        guard next == UInt8(ascii: "["), position + 1 < pattern.count else { return nil }
        switch pattern[position + 1] {
        case UInt8(ascii: "."), UInt8(ascii: "="): throw malformed("collation")
        case UInt8(ascii: ":"): break
        default: return nil
        }
        let rest = pattern[(position + 2)...]
        guard let end = rest.firstIndex(of: UInt8(ascii: ":")), end + 1 < pattern.count,
            pattern[end + 1] == UInt8(ascii: "]"),
            let set = NamedBytes.named(String(decoding: rest[..<end], as: UTF8.self))
        else { throw malformed("unknown class") }
        position = end + 2
        return set
    }
}

/// The character classes of the POSIX locale.
enum NamedBytes {
    static let digit = ByteSet(UInt8(ascii: "0")...UInt8(ascii: "9"))
    static let lower = ByteSet(UInt8(ascii: "a")...UInt8(ascii: "z"))
    static let upper = ByteSet(UInt8(ascii: "A")...UInt8(ascii: "Z"))
    static let alnum = union(digit, lower, upper)

    static func named(_ name: String) -> ByteSet? {
        switch name {
        case "digit": digit
        case "lower": lower
        case "upper": upper
        case "alpha": union(lower, upper)
        case "alnum": alnum
        case "xdigit": union(digit, ByteSet("abcdefABCDEF".utf8))
        case "space": ByteSet([9, 10, 11, 12, 13, 32])
        case "blank": ByteSet([9, 32])
        case "cntrl": ByteSet(Array(0...31) + [127])
        case "print": ByteSet(UInt8(32)...126)
        case "graph": ByteSet(UInt8(33)...126)
        case "punct": ByteSet((UInt8(33)...126).filter { !alnum.contains($0) })
        default: nil
        }
    }

    private static func union(_ sets: ByteSet...) -> ByteSet {
        sets.reduce(into: ByteSet()) { $0.formUnion($1) }
    }
}
