import ASN1Reading
import Bytes
import SwiftASN1

/// The remaining rounds of key derivation for one file.
///
/// A file itself gives the number of rounds (RFC 8018 and RFC 7292); a hostile one may ask for two
/// billion. Exports use 1 to 600,000 for each part.
struct StretchingBudget {
    /// Total rounds; a few seconds of one processor.
    static let limit = 5_000_000
    private var left = Self.limit

    /// Deducts rounds before they are run.
    mutating func take(_ rounds: Int) throws(MalformedIdentity) {
        guard (0...left).contains(rounds) else { throw .tooCostly(limit: Self.limit) }
        left -= rounds
    }

    /// Deducts the cost of decrypting with an algorithm.
    ///
    /// - Parameter algorithm: the encoded AlgorithmIdentifier.
    /// - Throws: ``MalformedIdentity``.
    mutating func take(for algorithm: [UInt8]) throws(MalformedIdentity) {
        let cost: StretchingCost
        do throws(MalformedBytes) {
            cost = try StretchingCost(of: algorithm)
        } catch {
            throw .notPKCS12(reason: "\(error)")
        }
        switch cost {
        case .rounds(let rounds): try take(rounds)
        case .unknown(let oid): throw .unsupportedEncryption(oid)
        }
    }
}

/// The cost of one passphrase-based encryption.
private enum StretchingCost {
    case rounds(Int)
    case unknown(OID)

    private static let pbes2: OID = "1.2.840.113549.1.5.13"
    private static let pbkdf2: OID = "1.2.840.113549.1.5.12"
    private static let scrypt: OID = "1.3.6.1.4.1.11591.4.11"
    /// Schemes of PKCS#5 version 1.5 (RFC 8018 appendix A.3) and PKCS#12 (RFC 7292 appendix C).
    private static let simple: Set<OID> = [
        "1.2.840.113549.1.5.1", "1.2.840.113549.1.5.3", "1.2.840.113549.1.5.4",
        "1.2.840.113549.1.5.6", "1.2.840.113549.1.5.10", "1.2.840.113549.1.5.11",
        "1.2.840.113549.1.12.1.1", "1.2.840.113549.1.12.1.2", "1.2.840.113549.1.12.1.3",
        "1.2.840.113549.1.12.1.4", "1.2.840.113549.1.12.1.5", "1.2.840.113549.1.12.1.6",
    ]

    init(of algorithm: [UInt8]) throws(MalformedBytes) {
        guard ElementCount.isAtMost(32, in: algorithm) else {
            throw MalformedBytes("encryption", at: 0, .invalid("has too many parameters"))
        }
        let root = try ElementReader.root(algorithm[...], "encryption")
        var fields = try ElementReader(root, .sequence, "encryption")
        let oid = try fields.objectIdentifier("algorithm")
        guard oid == Self.pbes2 || Self.simple.contains(oid) else {
            self = .unknown(oid)
            return
        }
        var parameters = try ElementReader(
            try fields.next("parameters"),
            .sequence,
            "parameters",
        )
        if oid == Self.pbes2 {
            try self.init(derivation: try parameters.next("key derivation"))
        } else {
            _ = try parameters.next("salt")
            self = .rounds(Self.number(try parameters.integer("iterations")))
        }
    }

    private init(derivation: ASN1Node) throws(MalformedBytes) {
        var fields = try ElementReader(derivation, .sequence, "key derivation")
        let oid = try fields.objectIdentifier("key derivation")
        guard oid == Self.pbkdf2 || oid == Self.scrypt else {
            self = .unknown(oid)
            return
        }
        var parameters = try ElementReader(
            try fields.next("parameters"),
            .sequence,
            "parameters",
        )
        _ = try parameters.next("salt")
        var rounds = Self.number(try parameters.integer("iterations"))
        if oid == Self.scrypt {
            // scrypt (RFC 7914): cost, block size and parallelization multiply, with two passes over the
            // memory.
            for field in ["block size", "parallelization"] {
                let factor = Self.number(try parameters.integer(field))
                rounds = Self.product(rounds, factor)
            }
            rounds = Self.product(rounds, 2)
        }
        self = .rounds(rounds)
    }

    /// A positive INTEGER; one that does not fit an Int exceeds any budget.
    private static func number(_ octets: [UInt8]) -> Int {
        guard octets.count <= 8, octets.first.map({ $0 < 0x80 }) ?? false else { return .max }
        return octets.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func product(_ left: Int, _ right: Int) -> Int {
        let (product, isTooMuch) = left.multipliedReportingOverflow(by: right)
        return isTooMuch ? .max : product
    }
}
