import Cryptography
import Foundation

/// Checks a server's certificates by Apple's requirements.
///
/// support.apple.com/103769 (requirements for trusted certificates) and 102028 (at most 398 days of
/// validity for public authorities). The TLS library checks signatures, names and constraints again; this
/// check explains what it would refuse.
struct ServerTrustEvaluation {
    let address: WebAddress
    let roots: TrustedRoots
    let now: Date
    let screen: PhoneScreen

    private static let authorityInformationAccess: OID = "1.3.6.1.5.5.7.1.1"
    private static let day = 86_400.0

    func judge(_ handshake: Handshake) -> StepNotes {
        var notes = StepNotes()
        guard let leaf = handshake.certificates.first else {
            notes.faults.append(
                fault(.refusedChain, "the server sends no certificate", "Configure a certificate.")
            )
            return notes
        }
        let path = CertificatePath(from: leaf, through: handshake.certificates, to: roots)
        notes.facts = [
            handshake.version,
            "“\(leaf)” (\(leaf.publicKeyDescription)) until \(Self.text(leaf.notAfter))",
            "chain of \(handshake.certificates.count)",
        ]
        if case .trusted(let root, let isSystem) = path.end {
            notes.facts.append(
                isSystem ? "under “\(root)”" : "under “\(root)”, an installed authority"
            )
        }
        notes.faults =
            version(handshake) + chain(path) + host(leaf) + path.certificates.flatMap(dates)
            + lifetime(leaf, path) + purpose(leaf) + path.certificates.flatMap(strength)
        return notes
    }

    private func version(_ handshake: Handshake) -> [Fault] {
        guard !handshake.isModern else { return [] }
        return [
            fault(
                .oldTLS,
                "the server supports at most \(handshake.version), but iOS needs TLS 1.2",
                "Enable TLS 1.2 and 1.3 on the server.",
            )
        ]
    }

    private func chain(_ path: CertificatePath) -> [Fault] {
        switch path.end {
        case .trusted: return []
        case .selfMade(let top) where path.certificates.count == 1:
            return [
                fault(
                    .untrustedAuthority,
                    "the certificate “\(top)” is self-signed",
                    Self.trustFix,
                )
            ]
        case .selfMade(let top):
            return [
                fault(
                    .untrustedAuthority,
                    "the phone does not trust the private authority “\(top)”",
                    Self.trustFix,
                )
            ]
        case .missingIssuer(let top):
            return [missingIssuer(of: top, isLeaf: path.certificates.count == 1)]
        }
    }

    /// The certificate of a public authority gives the URL of its issuer's certificate; one without it
    /// comes from a private authority, whose root is more likely missing than an intermediate.
    private func missingIssuer(of top: Certificate, isLeaf: Bool) -> Fault {
        let issuer = top.issuer.commonName ?? top.issuer.description
        let isPublic = top.hasExtension(Self.authorityInformationAccess)
        guard isLeaf, isPublic || roots.hasInstalled else {
            return fault(
                .untrustedAuthority,
                "the phone does not trust “\(issuer)”, which issued “\(top)”, and the server did "
                    + "not send its certificate",
                Self.trustFix + " If “\(issuer)” is an intermediate, the chain is incomplete:"
                    + " append its certificate to the server's certificate file.",
            )
        }
        return fault(
            .incompleteChain,
            "the chain is incomplete: the server did not send the intermediate certificate "
                + "“\(issuer)”, which issued “\(top)”",
            "Give the server the full chain (fullchain.pem), its own certificate first, then the"
                + " intermediates. Computers often have the missing one cached; phones do not.",
        )
    }

    private func host(_ leaf: Certificate) -> [Fault] {
        guard !leaf.hosts.isEmpty else {
            return [
                fault(
                    .noHostNames,
                    "the certificate lists no host names (subject alternative names), and iOS "
                        + "ignores the common name",
                    "Issue a certificate with \(address.host) among its alternative names.",
                )
            ]
        }
        guard !leaf.covers(address.host) else { return [] }
        let named = leaf.alternativeNames.prefix(5).joined(separator: ", ")
        return [
            fault(
                .wrongHost,
                "the certificate is for \(named), not for \(address.host)",
                "Use the name of the certificate in the links, or issue one for \(address.host).",
            )
        ]
    }

    private func dates(_ certificate: Certificate) -> [Fault] {
        if now > certificate.notAfter {
            return [
                fault(
                    .expired,
                    "the certificate “\(certificate)” expired on "
                        + "\(Self.text(certificate.notAfter))",
                    "Renew it and reload the server.",
                )
            ]
        }
        guard now < certificate.notBefore else { return [] }
        return [
            fault(
                .notYetValid,
                "the certificate “\(certificate)” is valid only from "
                    + "\(Self.text(certificate.notBefore))",
                "Check the clock of the machine that issued it, and this one's.",
            )
        ]
    }

    private func lifetime(_ leaf: Certificate, _ path: CertificatePath) -> [Fault] {
        var limit = 825.0
        if case .trusted(_, isSystem: true) = path.end { limit = 398 }
        let days = leaf.notAfter.timeIntervalSince(leaf.notBefore) / Self.day
        guard days > limit + 1 / Self.day else { return [] }
        return [
            fault(
                .tooLongLived,
                "the certificate is valid for \(Int(days.rounded())) days, but iOS accepts at "
                    + "most \(Int(limit))",
                "Issue one for \(Int(limit)) days or less.",
            )
        ]
    }

    private func purpose(_ leaf: Certificate) -> [Fault] {
        guard !leaf.extendedKeyUsages.contains(.serverAuthentication) else { return [] }
        return [
            fault(
                .notForServers,
                "the certificate is not for servers (no serverAuth purpose)",
                "Issue it with the extended key usage serverAuth.",
            )
        ]
    }

    private func strength(_ certificate: Certificate) -> [Fault] {
        var faults: [Fault] = []
        if certificate.keyKind.isTooWeakForServers {
            faults.append(
                fault(
                    .weakKey,
                    "the key of “\(certificate)” is \(certificate.publicKeyDescription)",
                    "Use RSA with 2048 bits or more, or P-256.",
                )
            )
        }
        if let digest = certificate.weakSignatureDigest {
            faults.append(
                fault(
                    .weakSignature,
                    "the certificate “\(certificate)” is signed with \(digest)",
                    "Issue it again with SHA-256.",
                )
            )
        }
        return faults
    }

    private func fault(_ id: FaultID, _ message: String, _ fix: String) -> Fault {
        .failure(id, message, shown: screen, fix: fix)
    }

    private static let trustFix =
        "Use a certificate of a public authority, or install the authority's root as a "
        + "configuration profile on the phone and turn it on under Settings › General › About › "
        + "Certificate Trust Settings (ota serve offers it under /trust)."

    private static func text(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }
}
