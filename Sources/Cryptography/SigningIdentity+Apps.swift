package import Essentials

extension SigningIdentity {
    /// The identity with every certificate up to the root, as a signature carries them: leaf, Worldwide
    /// Developer Relations, root.
    ///
    /// Exports of Keychain Access have the leaf alone; Apple's intermediates are known here.
    ///
    /// - Throws: ``IdentityRefusal/incompleteChain(_:issuer:)``.
    package func completed(
        to anchors: TrustAnchors
    ) throws(IdentityRefusal) -> SigningIdentity {
        SigningIdentity(
            certificate: certificate,
            key: key,
            chain: Array(try path(to: anchors).certificates.dropFirst()),
        )
    }

    /// The completed identity, once it is known that devices accept apps that it signs.
    ///
    /// - Parameters:
    ///   - date: when it is to sign.
    ///   - anchors: Apple's roots, and private ones.
    /// - Returns: as ``completed(to:)``.
    /// - Throws: ``IdentityRefusal``.
    package func checkedForApps(
        at date: Date,
        anchors: TrustAnchors,
    ) throws(IdentityRefusal) -> SigningIdentity {
        let name = certificate.description
        switch key.kind {
        case .rsa(let bits): guard bits >= 2048 else { throw .unusableKey(name, key.kind) }
        case .ellipticCurve: break
        case .other: throw .unusableKey(name, key.kind)
        }
        guard certificate.signingKind != nil else { throw .notForApps(name) }
        guard certificate.signingTeam != nil else { throw .noTeam(name) }
        guard date >= certificate.notBefore else {
            throw .notYetValid(name, from: certificate.notBefore)
        }
        guard date <= certificate.notAfter else { throw .expired(name, on: certificate.notAfter) }
        let path = try path(to: anchors)
        do throws(SignatureRefusal) {
            try SignerPolicy.appSigning.check(path, at: date)
        } catch {
            throw .notAccepted(name, error)
        }
        return try completed(to: anchors)
    }

    private func path(to anchors: TrustAnchors) throws(IdentityRefusal) -> CertificateChain {
        do throws(SignatureRefusal) {
            return try CertificateChain(
                from: certificate,
                through: chain + AppleIntermediates.certificates,
                to: anchors,
            )
        } catch {
            throw .incompleteChain(
                certificate.description,
                issuer: certificate.issuer.legibleName,
            )
        }
    }
}
