package import Bytes

/// A code requirement: an expression that Security evaluates.
package struct Requirement: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        case expression(Expression)
        /// A newer form, such as a launch constraint (2).
        case unknown(UInt32)
    }

    package let form: Form
}

extension Requirement {
    /// The requirement language (Security `ExprOp`); most byte arrays are text.
    package indirect enum Expression: Hashable, Sendable {
        case never, always
        case identifier([UInt8])
        case appleAnchor, appleGenericAnchor, trustedAnchor
        case namedAnchor([UInt8])
        case anchorDigest(CertificatePosition, [UInt8])
        case codeDirectoryDigest([UInt8])
        case infoValue(key: [UInt8], [UInt8])
        case infoField(key: [UInt8], Match)
        case entitlementField(key: [UInt8], Match)
        case certificateField(CertificatePosition, key: [UInt8], Match)
        /// A certificate extension, by the content octets of its object identifier.
        case certificateExtension(CertificatePosition, [UInt8], Match)
        case certificatePolicy(CertificatePosition, [UInt8], Match)
        case certificateDate(CertificatePosition, [UInt8], Match)
        case trustedCertificate(CertificatePosition)
        case namedCode([UInt8])
        case platform(Int32)
        case notarized, legacyDeveloperID
        case not(Expression)
        case and(Expression, Expression)
        case or(Expression, Expression)
        /// An unknown operation that is flagged to evaluate to false.
        case unknownFalse(operation: UInt32)
        /// An unknown operation that is flagged to be skipped.
        case unknownSkipped(operation: UInt32, Expression)
        /// An operation of unknown size; nothing after it can be read.
        case unknown(operation: UInt32)
    }

    /// 0 for the leaf, counting towards the root; -1 for the root itself.
    package struct CertificatePosition: Hashable, Sendable {
        package let number: Int32

        package init(_ number: Int32) {
            self.number = number
        }

        package static let leaf = CertificatePosition(0)
        package static let root = CertificatePosition(-1)
    }

    /// The condition on a field (Security `MatchOperation`).
    package enum Match: Hashable, Sendable {
        case exists, absent
        case equal([UInt8]), contains([UInt8]), beginsWith([UInt8]), endsWith([UInt8])
        case less([UInt8]), greater([UInt8]), lessOrEqual([UInt8]), greaterOrEqual([UInt8])
        /// Seconds since 2001-01-01 00:00:00 UTC.
        case on(Int64), before(Int64), after(Int64), onOrBefore(Int64), onOrAfter(Int64)
        /// An unknown operation; nothing after it can be read.
        case unknown(UInt32)
    }
}

extension Requirement {
    static let magic: UInt32 = 0xfade_0c00

    /// Reads a requirement's blob, including magic and length; bytes after it are ignored.
    package init(reading blob: ArraySlice<UInt8>) throws(MalformedBytes) {
        var bytes = ByteReader(blob)
        let size = try bytes.blobHeader(Self.magic, "requirement")
        bytes = ByteReader(blob.prefix(size))
        try bytes.skip(8, "requirement")
        let form = try bytes.bigEndian(UInt32.self, "requirement form")
        guard form == 1 else {
            self.form = .unknown(form)
            return
        }
        var reader = ExpressionReader(bytes)
        self.form = .expression(try reader.expression())
    }
}
