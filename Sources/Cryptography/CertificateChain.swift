import Essentials

/// Certificates from a signer to a trusted root, each signed by the key of the next.
struct CertificateChain {
    /// The signer's certificate first, the root last; never empty.
    let certificates: [Certificate]
    let root: Certificate

    /// Finds a path through the embedded certificates to an anchor.
    ///
    /// Each embedded certificate is used at most once, so the search is short for any input.
    ///
    /// - Throws: ``SignatureRefusal/untrustedRoot(_:)`` when no path leads to an anchor.
    init(
        from leaf: Certificate,
        through embedded: [Certificate],
        to anchors: TrustAnchors,
    ) throws(SignatureRefusal) {
        var path = [leaf]
        var unused = embedded.filter { $0 != leaf }
        var top = leaf
        while true {
            if let root = anchors.anchor(over: top, named: true) {
                // An anchor that another anchor signed is an intermediate.
                if !root.isSelfIssued, !path.contains(root),
                    anchors.anchor(over: root, named: true) != nil
                {
                    unused.removeAll { $0 == root }
                    path.append(root)
                    top = root
                    continue
                }
                self.init(path, root)
                return
            }
            if let next = unused.firstIndex(where: {
                $0.subject == top.issuer && top.isSigned(by: $0)
            }) {
                top = unused.remove(at: next)
                path.append(top)
            } else if let root = anchors.anchor(over: top, named: false) {
                self.init(path, root)
                return
            } else {
                throw .untrustedRoot(top.issuer.legibleName)
            }
        }
    }

    private init(_ path: [Certificate], _ root: Certificate) {
        self.root = root
        // A root that signs directly is the whole chain.
        certificates = path.last == root ? path : path + [root]
    }

    var leaf: Certificate { certificates.first ?? root }

    /// All certificates but the root, whose dates and extensions are not checked; the root itself when it
    /// signs directly.
    var belowRoot: ArraySlice<Certificate> {
        certificates.count > 1 ? certificates.dropLast() : certificates[...]
    }

    /// The certificates between leaf and root, the leaf's issuer first.
    var intermediates: ArraySlice<Certificate> { certificates.dropFirst().dropLast() }
}

extension SignerPolicy {
    /// Checks a chain, whose signatures are already verified, against the policy.
    func check(_ chain: CertificateChain, at date: Date) throws(SignatureRefusal) {
        let count = chain.certificates.count
        if let expected = chainLength, count != expected {
            throw count < expected
                ? .chainTooShort(count, expected: expected)
                : .chainTooLong(count, expected: expected)
        }
        try checkAuthorities(of: chain)
        try checkNames(of: chain)
        for certificate in chain.belowRoot {
            let unknown = certificate.criticalExtensionOIDs.first {
                !Self.understood.contains($0) && !knownCriticalExtensions.contains($0)
            }
            if let unknown { throw .unknownCriticalExtension(unknown, of: "\(certificate)") }
            guard checksDates else { continue }
            guard date >= certificate.notBefore else {
                throw .notYetValid("\(certificate)", from: certificate.notBefore)
            }
            guard date <= certificate.notAfter else {
                throw .expired("\(certificate)", on: certificate.notAfter)
            }
        }
    }

    private func checkAuthorities(of chain: CertificateChain) throws(SignatureRefusal) {
        for (below, authority) in chain.intermediates.enumerated() {
            guard authority.isAuthority,
                authority.keyUsage?.contains(.certificateSigning) ?? true,
                below <= authority.pathLength ?? .max
            else { throw .notAnAuthority("\(authority)") }
        }
    }

    private func checkNames(of chain: CertificateChain) throws(SignatureRefusal) {
        let leaf = chain.leaf
        let issuer = chain.certificates.dropFirst().first ?? chain.root
        if let signerName, leaf.subject.commonName != signerName {
            throw .unexpectedSigner("\(leaf)")
        }
        if let issuerName, issuer.subject.commonName != issuerName {
            throw .unexpectedIssuer("\(issuer)")
        }
        if !signerMarkers.isEmpty, !signerMarkers.contains(where: leaf.hasExtension) {
            throw .missingExtension(signerMarkers, of: "\(leaf)")
        }
        for marker in issuerMarkers where !issuer.hasExtension(marker) {
            throw .missingExtension([marker], of: "\(issuer)")
        }
        for purpose in purposes where !leaf.extendedKeyUsages.contains(purpose) {
            throw .missingPurpose(purpose, of: "\(leaf)")
        }
    }

    /// Critical extensions that are evaluated here, or that cannot widen what a policy allows.
    private static let understood: Set<OID> = [
        .basicConstraints, .keyUsage, .extendedKeyUsage, .subjectAlternativeName,
        .certificatePolicies, .authorityKeyIdentifier, .subjectKeyIdentifier,
    ]
}
