import Bundles
import Bytes
import CodeSignature
import PropertyLists

/// The code of a bundle that is signed with a profile, and what it claims.
struct EntitledCode {
    /// In the archive.
    let path: RelativePath
    let bundle: AppBundle
    /// Those of signed code.
    let slices: [SliceEvidence]
    /// Of each slice that has any in a form that can be read.
    let entitlements: [EntitlementEvidence]
    /// The different sets of claims, in the order of the slices, XML before DER.
    let claims: [[String: PropertyList]]

    /// - Returns: nil for a bundle without code, and for unsigned code.
    init?(of bundle: AppBundle, in input: InspectionInput) {
        guard bundle.defects.isEmpty,
            let executable = input.signatures(of: bundle)?.executable
        else { return nil }
        slices = executable.slices.picked(forWatch: true, from: bundle.info.minimumOS).filter {
            $0.signature.evidence?.hasSigner ?? false
        }
        guard !slices.isEmpty else { return nil }
        path = executable.path
        self.bundle = bundle
        entitlements = slices.compactMap { $0.signature.evidence?.entitlements }
        var claims: [[String: PropertyList]] = []
        for form in entitlements.flatMap({ [$0.claimed, $0.encoded] }) {
            guard let claimed = form?.dictionary, !claims.contains(claimed) else { continue }
            claims.append(claimed)
        }
        self.claims = claims
    }

    /// What the code says that it is, of which every architecture should say the same.
    var identifiers: [ApplicationIdentifier] {
        claims.compactMap { $0["application-identifier"]?.string.map(ApplicationIdentifier.init) }
    }
}

extension CodeSignatureEvidence {
    /// Whether a signer signed or meant to sign; false for an ad hoc signature.
    fileprivate var hasSigner: Bool {
        switch signer {
        case .absent, .adHoc: false
        case .malformed, .refused, .proven: true
        }
    }
}
