package import Essentials

extension SigningIdentity {
    /// The identity with the whole chain that a code signature embeds: leaf, Worldwide Developer
    /// Relations, root.
    ///
    /// Exports from Keychain Access contain only the leaf; Apple's intermediates are built in.
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

    /// Checks that devices accept apps that the identity signs, and returns it completed.
    ///
    /// - Parameters:
    ///   - date: the date of signing.
    ///   - anchors: Apple's roots, and private ones.
    /// - Returns: the result of ``completed(to:)``.
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
