import ASN1Reading
import Bytes
import COpenSSL
import Essentials
import SwiftASN1

extension Certificate {
    /// Reads all fields of a certificate in one pass.
    ///
    /// - Throws: ``MalformedCertificate``, also when bytes follow the certificate.
    package init(der: [UInt8]) throws(MalformedCertificate) {
        defer { OpenSSL.takeFailure() }
        guard let object = OpenSSLObject(certificate: der) else {
            throw .notACertificate(reason: OpenSSL.takeFailure() ?? "bytes follow it")
        }
        self = try unsafe object { x509 throws(MalformedCertificate) in
            try unsafe Certificate(der: der, object, x509)
        }
    }

    private init(
        der: [UInt8],
        _ object: OpenSSLObject,
        _ x509: OpaquePointer,
    ) throws(MalformedCertificate) {
        self.object = object
        self.der = der
        sha256 = SHA256Digest(of: der)
        subject = unsafe try Self.name(X509_get_subject_name(x509), "subject")
        issuer = unsafe try Self.name(X509_get_issuer_name(x509), "issuer")
        serial = unsafe try Self.serial(of: x509)
        notBefore = unsafe try Self.date(X509_get0_notBefore(x509), "start of validity")
        notAfter = unsafe try Self.date(X509_get0_notAfter(x509), "end of validity")
        keyKind = unsafe KeyKind(X509_get0_pubkey(x509))
        guard
            let key = unsafe OpenSSL.encoded({
                unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(x509), $0)
            })
        else { throw .notACertificate(reason: "no public key") }
        publicKey = key
        signatureAlgorithm = unsafe Self.signatureAlgorithm(of: x509)
        extensions = unsafe try Self.extensions(of: x509)
        let known: KnownExtensions
        do throws(MalformedBytes) {
            known = try KnownExtensions(reading: extensions)
        } catch {
            throw .field(error)
        }
        isAuthority = known.isAuthority
        pathLength = known.pathLength
        keyUsage = known.keyUsage
        extendedKeyUsages = known.extendedKeyUsages
        hosts = known.hosts
        subjectKeyIdentifier = known.subjectKeyIdentifier
    }

    private static func name(
        _ name: OpaquePointer?,
        _ field: String,
    ) throws(MalformedCertificate) -> DistinguishedName {
        guard let der = unsafe OpenSSL.encoded({ unsafe i2d_X509_NAME(name, $0) }) else {
            throw .notACertificate(reason: "no \(field)")
        }
        var attributes: [DistinguishedName.Attribute] = []
        for index in 0..<max(0, unsafe X509_NAME_entry_count(name)) {
            let entry = unsafe X509_NAME_get_entry(name, index)
            let type = unsafe OID(object: X509_NAME_ENTRY_get_object(entry))
            guard let text = unsafe Self.text(X509_NAME_ENTRY_get_data(entry)) else {
                throw .notACertificate(reason: "\(type) of the \(field) is not text")
            }
            attributes.append(.init(type, text))
        }
        return DistinguishedName(attributes: attributes, der: der)
    }

    private static func text(_ string: UnsafePointer<ASN1_STRING>?) -> String? {
        var utf8: UnsafeMutablePointer<UInt8>?
        let count = unsafe ASN1_STRING_to_UTF8(&utf8, string)
        guard count >= 0, let start = unsafe utf8 else { return nil }
        defer { unsafe CRYPTO_free(start, nil, 0) }
        return unsafe String(
            decoding: UnsafeBufferPointer(start: start, count: Int(count)),
            as: UTF8.self,
        )
    }

    private static func serial(of x509: OpaquePointer) throws(MalformedCertificate) -> [UInt8] {
        let integer = unsafe X509_get0_serialNumber(x509)
        guard let element = unsafe OpenSSL.encoded({ unsafe i2d_ASN1_INTEGER(integer, $0) }),
            let root = try? ElementReader.root(element[...], "serial number")
        else { throw .notACertificate(reason: "no serial number") }
        guard case .primitive(let content) = root.content else {
            throw .notACertificate(reason: "no serial number")
        }
        return Array(content)
    }

    private static func signatureAlgorithm(of x509: OpaquePointer) -> OID {
        var algorithm: UnsafePointer<X509_ALGOR>?
        unsafe X509_get0_signature(nil, &algorithm, x509)
        var object: OpaquePointer?
        unsafe X509_ALGOR_get0(&object, nil, nil, algorithm)
        return unsafe OID(object: object)
    }

    private static func date(
        _ time: UnsafePointer<ASN1_TIME>?,
        _ field: String,
    ) throws(MalformedCertificate) -> Date {
        var parts = unsafe tm()
        // OpenSSL takes a null time as the present.
        guard unsafe time != nil, unsafe ASN1_TIME_to_tm(time, &parts) == 1 else {
            throw .invalidTime(field)
        }
        return CalendarTime(
            year: unsafe Int(parts.tm_year) + 1900,
            month: unsafe Int(parts.tm_mon) + 1,
            day: unsafe Int(parts.tm_mday),
            hour: unsafe Int(parts.tm_hour),
            minute: unsafe Int(parts.tm_min),
            second: unsafe Int(parts.tm_sec),
        ).date
    }

    private static func extensions(
        of x509: OpaquePointer
    ) throws(MalformedCertificate) -> [CertificateExtension] {
        var found: [CertificateExtension] = []
        var seen: Set<OID> = []
        for index in 0..<max(0, unsafe X509_get_ext_count(x509)) {
            let item = unsafe X509_get_ext(x509, index)
            let oid = unsafe OID(object: X509_EXTENSION_get_object(item))
            guard seen.insert(oid).inserted else { throw .repeatedExtension(oid) }
            let value = unsafe X509_EXTENSION_get_data(item)
            let bytes = unsafe UnsafeBufferPointer(
                start: ASN1_STRING_get0_data(value),
                count: Int(ASN1_STRING_length(value)),
            )
            found.append(
                CertificateExtension(
                    oid,
                    isCritical: unsafe X509_EXTENSION_get_critical(item) == 1,
                    value: unsafe Array(bytes),
                )
            )
        }
        return found
    }
}

extension OID {
    /// Copies the arcs of an `ASN1_OBJECT`.
    fileprivate init(object: OpaquePointer?) {
        let bytes = unsafe UnsafeBufferPointer(
            start: OBJ_get0_data(object),
            count: OBJ_length(object),
        )
        self = unsafe OID(encoded: bytes)
    }
}
