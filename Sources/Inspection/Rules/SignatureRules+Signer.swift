import Bytes
import CodeSignature
import Cryptography

/// Checks the signer.
extension SignatureRules {
    static func signer(_ evidence: CodeSignatureEvidence, at path: RelativePath) -> [Complaint] {
        switch evidence.signer {
        case .absent:
            return [
                Complaint(
                    .signatureAdHoc,
                    "The signature has no signed message, so it names no signer",
                    at: path,
                )
            ]
        case .adHoc:
            return [
                Complaint(
                    .signatureAdHoc,
                    "The signature is ad hoc: it names no signer",
                    at: path,
                )
            ]
        case .malformed(let reason):
            return [
                Complaint(
                    .messageInvalid,
                    "The signed message cannot be read: \(inWords(reason))",
                    at: path,
                )
            ]
        case .refused(let refusal, let claimed):
            return [refused(refusal, claimed, at: path)]
        case .proven:
            guard evidence.codeHashes?.isContradicted == true else { return [] }
            return [
                Complaint(
                    .hashesContradicted,
                    "The code directories in the signer's message are not those of the signature",
                    at: path,
                )
            ]
        }
    }

    private static func refused(
        _ refusal: SignatureRefusal,
        _ claimed: Certificate?,
        at path: RelativePath,
    ) -> Complaint {
        let name = claimed.flatMap { $0.subject.commonName } ?? "an unknown signer"
        let signed = "The code is signed by \(quoted: name)"
        switch refusal {
        case .digestMismatch:
            return Complaint(
                .messageInvalid,
                "The code directory is not the one that \(quoted: name) signed",
                at: path,
            )
        case .signerCertificateMissing:
            return Complaint(
                .chainIncomplete,
                "The signature lacks its signer's certificate",
                at: path,
            )
        case .untrustedRoot(let root):
            guard root == worldwideAuthority, claimed?.issuer.commonName == root else {
                return Complaint(
                    .untrustedSigner,
                    "\(signed) under \(quoted: root), which no device trusts",
                    at: path,
                )
            }
            return Complaint(
                .chainIncomplete,
                "\(signed), whose issuer's certificate \(quoted: root) is not in the signature",
                at: path,
            )
        case .chainTooShort, .chainTooLong, .unexpectedSigner, .unexpectedIssuer, .notAnAuthority,
            .unknownCriticalExtension, .missingExtension, .missingPurpose, .notYetValid, .expired:
            return Complaint(
                .signerPolicy,
                "\(signed), which is not allowed to sign apps: \(inWords(refusal))",
                at: path,
            )
        case .noSigner, .severalSigners, .contentMissing, .contentMismatch, .unsupportedAlgorithm,
            .attributeMissing, .contentTypeMismatch, .ambiguousContent, .signatureInvalid:
            return Complaint(
                .messageInvalid,
                "The signed message is invalid: \(inWords(refusal))",
                at: path,
            )
        }
    }

    /// The common name of all of Apple's authorities that issue developer certificates.
    private static let worldwideAuthority =
        "Apple Worldwide Developer Relations Certification Authority"

    private static func inWords(_ reason: any CustomStringConvertible) -> String {
        PrintableText(escaping: reason.description, limit: 300).text
    }
}
