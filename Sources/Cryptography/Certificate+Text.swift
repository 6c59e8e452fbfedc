extension Certificate {
    /// The certificate in PEM form, with a final newline.
    package var pem: String { PEM.text("CERTIFICATE", der) }

    /// Reads the certificates of a PEM file in order, ignoring blocks of other kinds.
    ///
    /// - Throws: ``MalformedCertificate/noCertificateInText`` when there is none; another
    ///   ``MalformedCertificate`` when one cannot be read.
    package static func chain(pem: String) throws(MalformedCertificate) -> [Certificate] {
        guard let blocks = PEM.blocks(in: pem) else { throw .noCertificateInText }
        var certificates: [Certificate] = []
        for block in blocks where ["CERTIFICATE", "X509 CERTIFICATE"].contains(block.label) {
            certificates.append(try Certificate(der: block.bytes))
        }
        guard !certificates.isEmpty else { throw .noCertificateInText }
        return certificates
    }
}

extension [Certificate] {
    /// A PEM bundle, in the order of the array.
    package var pem: String { map(\.pem).joined() }
}
