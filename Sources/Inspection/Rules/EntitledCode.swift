import Bundles
import Bytes
import CodeSignature
import PropertyLists

/// The code of a bundle that has a profile of its own, and the entitlements that it claims.
struct EntitledCode {
    /// The executable's path in the archive.
    let path: RelativePath
    let bundle: AppBundle
    /// The slices that have a signer.
    let slices: [SliceEvidence]
    /// The entitlements of each slice that has readable ones.
    let entitlements: [EntitlementEvidence]
    /// The distinct sets of claims, in the order of the slices, XML before DER.
    let claims: [[String: PropertyList]]

    /// - Returns: nil for a bundle without code or with unsigned code.
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

    /// The application identifiers in the claims; every architecture should have the same.
    var identifiers: [ApplicationIdentifier] {
        claims.compactMap { $0["application-identifier"]?.string.map(ApplicationIdentifier.init) }
    }
}

extension CodeSignatureEvidence {
    /// Whether the code has a signer, valid or not; false for an ad hoc signature.
    fileprivate var hasSigner: Bool {
        switch signer {
        case .absent, .adHoc: false
        case .malformed, .refused, .proven: true
        }
    }
}
