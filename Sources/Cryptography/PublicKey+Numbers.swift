/// Public keys from their numbers, as in JSON Web Keys (RFC 7518 section 6).
extension PublicKey {
    /// A curve for ECDSA keys.
    package enum Curve: String, CaseIterable, Sendable {
        case p256 = "P-256"
        case p384 = "P-384"
        case p521 = "P-521"

        /// The size of each coordinate in bytes.
        package var width: Int {
            switch self {
            case .p256: 32
            case .p384: 48
            case .p521: 66
            }
        }

        fileprivate var oid: OID {
            switch self {
            case .p256: "1.2.840.10045.3.1.7"
            case .p384: "1.3.132.0.34"
            case .p521: "1.3.132.0.35"
            }
        }
    }

    /// Creates an RSA key; nil for numbers out of range.
    ///
    /// - Parameters:
    ///   - modulus: big-endian, of 2048 to 8192 bits.
    ///   - exponent: big-endian, odd, above 1 and below 2³².
    package init?(modulus: [UInt8], exponent: [UInt8]) {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        guard let first = modulus.first, let last = modulus.last, last & 1 == 1,
            (1...4).contains(exponent.count), let end = exponent.last, end & 1 == 1,
            exponent != [1]
        else { return nil }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        guard (2048...8192).contains(bits) else { return nil }
        let key = DERBytes.sequence(
            DERBytes.integer(magnitude: modulus),
            DERBytes.integer(magnitude: exponent),
        )
        let kind = DERBytes.sequence(DERBytes.objectIdentifier(.rsaEncryption), DERBytes.null)
        self.init(der: DERBytes.sequence(kind, DERBytes.bitString(key)))
    }

    /// Creates an ECDSA key from big-endian coordinates; nil for a point that is not on the curve.
    package init?(_ curve: Curve, x: [UInt8], y: [UInt8]) {
        guard x.count == curve.width, y.count == curve.width else { return nil }
        let kind = DERBytes.sequence(
            DERBytes.objectIdentifier(.ellipticCurveKey),
            DERBytes.objectIdentifier(curve.oid),
        )
        self.init(der: DERBytes.sequence(kind, DERBytes.bitString([4] + x + y)))
    }

    /// Creates an Ed25519 key (RFC 8410); nil unless there are 32 bytes.
    package init?(ed25519 bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        let kind = DERBytes.sequence(DERBytes.objectIdentifier("1.3.101.112"))
        self.init(der: DERBytes.sequence(kind, DERBytes.bitString(bytes)))
    }
}
