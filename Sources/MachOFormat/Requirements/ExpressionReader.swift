import Bytes

/// Reads an expression in prefix notation, with limits on depth and size.
struct ExpressionReader {
    private var bytes: ByteReader
    private var depth = 0
    private var count = 0
    /// Whether an operation of unknown size was found, after which nothing can be read.
    private var isLost = false

    private static let greatestDepth = 200
    private static let greatestCount = 10_000

    /// - Parameter bytes: the cursor at the start of the expression.
    init(_ bytes: ByteReader) {
        self.bytes = bytes
    }

    mutating func expression() throws(MalformedBytes) -> Requirement.Expression {
        depth += 1
        count += 1
        defer { depth -= 1 }
        guard depth <= Self.greatestDepth, count <= Self.greatestCount else {
            throw MalformedBytes("requirement", at: bytes.offset, .invalid("is too complex"))
        }
        guard !isLost else { return .unknown(operation: 0) }
        let operation = try bytes.bigEndian(UInt32.self, "operation")
        // The high byte tells how to handle an unknown operation.
        return switch operation & 0x00ff_ffff {
        case 0: .never
        case 1: .always
        case 2: .identifier(try data())
        case 3: .appleAnchor
        case 4: .anchorDigest(try position(), try data())
        case 5: .infoValue(key: try data(), try data())
        case 6: .and(try expression(), try expression())
        case 7: .or(try expression(), try expression())
        case 8: .codeDirectoryDigest(try data())
        case 9: .not(try expression())
        case 10: .infoField(key: try data(), try match())
        case 11: .certificateField(try position(), key: try data(), try match())
        case 12: .trustedCertificate(try position())
        case 13: .trustedAnchor
        case 14: .certificateExtension(try position(), try data(), try match())
        case 15: .appleGenericAnchor
        case 16: .entitlementField(key: try data(), try match())
        case 17: .certificatePolicy(try position(), try data(), try match())
        case 18: .namedAnchor(try data())
        case 19: .namedCode(try data())
        case 20: .platform(try bytes.bigEndian(Int32.self, "platform"))
        case 21: .notarized
        case 22: .certificateDate(try position(), try data(), try match())
        case 23: .legacyDeveloperID
        default: try unknown(operation)
        }
    }

    private mutating func unknown(
        _ operation: UInt32
    ) throws(MalformedBytes) -> Requirement.Expression {
        guard operation & 0xc000_0000 != 0 else {
            isLost = true
            return .unknown(operation: operation)
        }
        _ = try data()
        let number = operation & 0x00ff_ffff
        guard operation & 0x8000_0000 == 0 else { return .unknownFalse(operation: number) }
        return .unknownSkipped(operation: number, try expression())
    }

    private mutating func position() throws(MalformedBytes) -> Requirement.CertificatePosition {
        Requirement.CertificatePosition(try bytes.bigEndian(Int32.self, "certificate position"))
    }

    /// Reads a length, bytes, and zeroes up to a multiple of four.
    private mutating func data() throws(MalformedBytes) -> [UInt8] {
        let length = Int(try bytes.bigEndian(UInt32.self, "data length"))
        let data = Array(try bytes.bytes(length, "data"))
        try bytes.skip(min(bytes.remaining, (4 - length % 4) % 4), "padding")
        return data
    }

    private mutating func match() throws(MalformedBytes) -> Requirement.Match {
        let operation = try bytes.bigEndian(UInt32.self, "match operation")
        switch operation {
        case 0: return .exists
        case 1: return .equal(try data())
        case 2: return .contains(try data())
        case 3: return .beginsWith(try data())
        case 4: return .endsWith(try data())
        case 5: return .less(try data())
        case 6: return .greater(try data())
        case 7: return .lessOrEqual(try data())
        case 8: return .greaterOrEqual(try data())
        case 9: return .on(try time())
        case 10: return .before(try time())
        case 11: return .after(try time())
        case 12: return .onOrBefore(try time())
        case 13: return .onOrAfter(try time())
        case 14: return .absent
        default:
            isLost = true
            return .unknown(operation)
        }
    }

    private mutating func time() throws(MalformedBytes) -> Int64 {
        try bytes.bigEndian(Int64.self, "timestamp")
    }
}
