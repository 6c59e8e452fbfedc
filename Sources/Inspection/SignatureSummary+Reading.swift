import Bundles
import Bytes
import CodeSignature
import MachOFormat
import PropertyLists

extension SignatureSummary {
    /// - Returns: nil for a bundle without its executable.
    init?(of bundle: AppBundle, in input: InspectionInput) {
        guard let signatures = input.signatures(of: bundle),
            let executable = signatures.executable
        else { return nil }
        let evidence = executable.slices.lazy.compactMap(\.signature.evidence).first
        let granted = input.allowance(of: bundle)?.entitlements
        self.init(
            path: executable.path.text,
            identifier: evidence?.chosen?.identifier.map { PrintableText(line: $0).text },
            team: evidence?.chosen?.team.map { PrintableText(line: $0).text },
            codeHash: evidence?.chosen.map { Hex.encode($0.codeHash) },
            hash: evidence?.chosen.map { $0.hashType.name },
            signers: evidence?.signer.proof?.chain.map(CertificateSummary.init) ?? [],
            isIntact: input.isIntact(bundle),
            slices: executable.slices.map(SliceSummary.init),
            entitlements: EntitlementSummary.all(
                claimed: input.claims(of: bundle),
                granted: granted,
            ),
        )
    }
}

extension InspectionInput {
    /// Whether the rules find nothing that is certainly wrong with a bundle's signature and seal, so that
    /// `inspect` agrees with `validate`.
    fileprivate func isIntact(_ bundle: AppBundle) -> Bool {
        guard let code = code.first(where: { $0.bundle.path == bundle.path }),
            !code.slices.isEmpty
        else { return false }
        let complaints =
            SignatureRules.integrity(of: code, in: self) + SealRules.complaints(about: code)
        return complaints.allSatisfy { $0.certainty != .certain }
    }
}

extension HashType {
    fileprivate var name: String {
        switch self {
        case .sha1: "sha1"
        case .sha256: "sha256"
        case .sha256Truncated: "sha256-truncated"
        case .sha384: "sha384"
        case .unknown(let number): "unknown-\(number)"
        }
    }
}

extension SliceSummary {
    init(_ slice: SliceEvidence) {
        let build = slice.buildVersions.first
        self.init(
            architecture: "\(slice.processor)",
            platform: build.map { "\($0.platform)" },
            minimumOS: build.map { "\($0.minimumOS)" },
            sdk: build.map { "\($0.sdk)" },
            size: slice.range.count,
            isEncrypted: slice.encryption.map { $0.identifier != 0 } ?? false,
        )
    }
}

extension EntitlementSummary {
    /// More than any app has; entries of hostile input beyond this are dropped.
    private static let greatestCount = 256

    static func all(claimed: PropertyList?, granted: PropertyList?) -> [EntitlementSummary] {
        let claims = claimed?.dictionary ?? [:]
        let grants = granted?.dictionary ?? [:]
        return Set(claims.keys).union(grants.keys).sorted().prefix(greatestCount).map { key in
            EntitlementSummary(
                key: PrintableText(escaping: key, limit: 200).text,
                claimed: claims[key]?.inWords,
                granted: grants[key]?.inWords,
            )
        }
    }
}

extension PropertyList {
    /// The value in words for a message, on one line of at most 300 characters.
    package var inWords: String { PrintableText(escaping: words(depth: 0), limit: 300).text }

    private func words(depth: Int) -> String {
        guard depth < 4 else { return "…" }
        return switch self {
        case .string(let text): String(text.prefix(300))
        case .integer(let number): "\(number)"
        case .unsigned(let number): "\(number)"
        case .real(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case .date(let date): date.iso8601
        case .data(let bytes): "\(bytes.count.grouped) bytes"
        case .uid(let number): "UID \(number)"
        case .array(let values):
            values.prefix(32).map { $0.words(depth: depth + 1) }.joined(separator: ", ")
        case .dictionary(let entries):
            entries.sorted { $0.key < $1.key }.prefix(32)
                .map { "\($0.key.prefix(100)): \($0.value.words(depth: depth + 1))" }
                .joined(separator: ", ")
        }
    }
}
