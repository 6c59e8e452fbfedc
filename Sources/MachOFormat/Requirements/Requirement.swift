package import Bytes

/// A condition on code: an expression that Security evaluates.
package struct Requirement: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        case expression(Expression)
        /// A form that came later, such as a launch constraint (2).
        case unknown(UInt32)
    }

    package let form: Form
}

extension Requirement {
    /// The language of requirements (Security `ExprOp`); bytes are text in all but a few.
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
        /// An extension by the content of its object identifier.
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
        /// An operation that says it may count as false where it is unknown.
        case unknownFalse(operation: UInt32)
        /// An operation that says it may be passed over where it is unknown.
        case unknownSkipped(operation: UInt32, Expression)
        /// An operation whose size is unknown too, so that nothing after it can be read.
        case unknown(operation: UInt32)
    }

    /// 0 for the leaf, counted towards the root; -1 for the root itself.
    package struct CertificatePosition: Hashable, Sendable {
        package let number: Int32

        package init(_ number: Int32) {
            self.number = number
        }

        package static let leaf = CertificatePosition(0)
        package static let root = CertificatePosition(-1)
    }

    /// What must be true of a field (Security `MatchOperation`).
    package enum Match: Hashable, Sendable {
        case exists, absent
        case equal([UInt8]), contains([UInt8]), beginsWith([UInt8]), endsWith([UInt8])
        case less([UInt8]), greater([UInt8]), lessOrEqual([UInt8]), greaterOrEqual([UInt8])
        /// Seconds from the start of 2001.
        case on(Int64), before(Int64), after(Int64), onOrBefore(Int64), onOrAfter(Int64)
        /// Nothing after it can be read.
        case unknown(UInt32)
    }
}

extension Requirement {
    static let magic: UInt32 = 0xfade_0c00

    /// Reads a requirement's own blob, magic and length included; what follows it is not checked.
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
