import Bundles
import Bytes
import CodeSignature
import Identifiers
import MachOFormat
import PropertyLists

/// Checks that the XML and DER forms of the entitlements agree, and that libraries have none.
extension EntitlementRules {
    static func faults(of code: EntitledCode) -> [Finding] {
        unique(code.entitlements.compactMap { fault(of: $0, in: code) })
    }

    private static func fault(
        of entitlements: EntitlementEvidence,
        in code: EntitledCode,
    ) -> Finding? {
        if let fault = entitlements.derFault {
            return Rule.malformed.finding(
                "The DER entitlements, which iOS 15 and later read, are malformed: "
                    + "\(PrintableText(escaping: fault, limit: 300)).",
                at: code.path,
                from: OSVersion(major: 15),
                minimum: code.bundle.info.minimumOS,
            )
        }
        guard let fault = entitlements.fault else { return nil }
        let message =
            "The XML entitlements are malformed: \(PrintableText(escaping: fault, limit: 300))."
        return entitlements.hasDER
            ? Rule.malformed.inference(message, at: code.path)
            : Rule.malformed.finding(message, at: code.path)
    }

    /// Differences between the XML and DER forms.
    static func differences(of code: EntitledCode) -> [Finding] {
        unique(code.entitlements.compactMap { difference(in: $0, of: code) })
    }

    private static func difference(
        in entitlements: EntitlementEvidence,
        of code: EntitledCode,
    ) -> Finding? {
        if entitlements.claimed == nil {
            return Rule.formsDiffer.inference(
                "The entitlements exist only in DER, but iOS before 15 reads XML.",
                at: code.path,
            )
        }
        guard !entitlements.differences.isEmpty else { return nil }
        return Rule.formsDiffer.inference(
            "The XML and the DER entitlements do not agree about "
                + "\(quoted: entitlements.differences); iOS 15 and later use DER.",
            at: code.path,
        )
    }

    /// DER that the kernel's parser may reject although every value in it is readable.
    static func irregularities(of code: EntitledCode) -> [Finding] {
        unique(
            code.entitlements.compactMap(\.derIrregularity).map {
                Rule.derIrregular.inference(
                    "The DER entitlements, which iOS 15 and later read, \($0), unlike those of "
                        + "Apple's tools.",
                    at: code.path,
                )
            }
        )
    }

    /// Reports a finding that several architectures share once.
    private static func unique(_ findings: [Finding]) -> [Finding] {
        findings.enumerated().filter { !findings[..<$0.offset].contains($0.element) }
            .map(\.element)
    }

    static func slices(of code: EntitledCode) -> [Finding] {
        let claims = code.entitlements.compactMap(\.claimed?.dictionary)
        guard let first = claims.first, claims.contains(where: { $0 != first }) else { return [] }
        let keys = claims.dropFirst().flatMap { other in
            Set(first.keys).union(other.keys).filter { first[$0] != other[$0] }
        }
        .filter { key in !identity.contains(key) || claims.allSatisfy { $0[key] != nil } }
        guard !keys.isEmpty else { return [] }
        return [
            Rule.slicesDiffer.inference(
                "The architectures of the executable do not claim the same of "
                    + "\(quoted: Set(keys).sorted()).",
                at: code.path,
            )
        ]
    }

    /// Only programs have entitlements.
    ///
    /// Code that no bundle names is not checked during installation.
    static func libraries(in input: InspectionInput) -> [Finding] {
        let bundles = input.signatures.everyBundle
        let nested = bundles.filter { !$0.kind.hasOwnProfile }.compactMap(\.executable)
        return libraries(nested) { Rule.onLibrary.finding($0, at: $1) }
            + libraries(input.signatures.looseCode) { Rule.onLibrary.inference($0, at: $1) }
    }

    private static func libraries(
        _ code: [ExecutableEvidence],
        finding: (_ message: String, _ path: RelativePath) -> Finding,
    ) -> [Finding] {
        let places = code.compactMap { code in keys(ofLibrary: code).map { (code.path, $0) } }
        return places.prefix(libraryLimit).enumerated().map { index, place in
            let rest = index == libraryLimit - 1 ? places.count - libraryLimit : 0
            let more = rest == 0 ? "" : "; so do \(rest) more libraries"
            return finding(
                "The library is signed with entitlements of its own, \(quoted: place.1)\(more).",
                place.0,
            )
        }
    }

    private static let libraryLimit = 5

    private static func keys(ofLibrary code: ExecutableEvidence) -> [String]? {
        let keys = code.slices.filter { $0.fileType != .executable }.flatMap { slice in
            let entitlements = slice.signature.evidence?.entitlements
            return [entitlements?.claimed, entitlements?.encoded].flatMap {
                $0?.dictionary.map { Array($0.keys) } ?? []
            }
        }
        return keys.isEmpty ? nil : Set(keys).sorted()
    }
}
