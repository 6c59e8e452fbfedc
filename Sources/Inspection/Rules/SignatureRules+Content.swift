import Bundles
import Bytes
import CodeSignature

/// What was signed against what is there: catalogue rows 17 to 19.
extension SignatureRules {
    static func pages(_ evidence: CodeSignatureEvidence, at path: String) -> [Complaint] {
        for directory in evidence.directories {
            switch directory.pages.state {
            case .unusable:
                return [
                    Complaint(
                        .signatureMalformed,
                        "The signature is malformed: its pages reach beyond the code",
                        at: path,
                    )
                ]
            case .unreadable(let reason):
                let reason = PrintableText(escaping: reason, limit: 300)
                return [
                    Complaint(
                        .signatureUnproven,
                        "The code could not be read again: \(reason)",
                        at: path,
                    )
                ]
            case .compared where directory.pages.mismatchCount > 0:
                return [Complaint(.pagesChanged, changed(directory.pages), at: path)]
            case .compared: continue
            }
        }
        return []
    }

    private static func changed(_ pages: PageEvidence) -> String {
        let offset = pages.mismatches.first?.offset ?? 0
        let numbers = pages.mismatches.prefix(8).map { "\($0.page)" }.joined(separator: ", ")
        guard pages.mismatchCount > 1 else {
            return "Page \(numbers) of \(pages.count), at offset \(offset) of the file, is not the "
                + "code that was signed"
        }
        let more = pages.mismatchCount > 8 ? " and \(pages.mismatchCount - 8) more" : ""
        return "\(pages.mismatchCount) of \(pages.count) pages are not the code that was signed: "
            + "\(numbers)\(more), from offset \(offset) of the file on"
    }

    /// The slots of what lies in the signature itself.
    static func blobs(_ evidence: CodeSignatureEvidence, at path: String) -> [Complaint] {
        let slots = evidence.faultySlots.filter { $0.number != 1 && $0.number != 3 }
        guard let first = slots.first else { return [] }
        let name = "The \(blobName(first.number)) of the signature (slot -\(first.number))"
        switch first.state {
        case .matches: return []
        case .differs:
            return [Complaint(.blobChanged, "\(name) are not the ones that were signed", at: path)]
        case .missing:
            return [Complaint(.blobChanged, "\(name) were signed and are missing", at: path)]
        case .unsealed where first.gravity > 1:
            return [Complaint(.blobChanged, "\(name) were never signed", at: path)]
        case .unsealed:
            return [
                Complaint(
                    .signatureUncovered,
                    "\(name) are not covered by it",
                    at: path,
                    .inferred,
                )
            ]
        }
    }

    private static func blobName(_ slot: Int) -> String {
        switch slot {
        case 2: "requirements"
        case 5: "entitlements"
        case 7: "DER entitlements"
        default: "launch constraints"
        }
    }

    /// The slots of what lies beside the executable: Info.plist and the seal.
    ///
    /// A seal that was signed and is gone is told with the seals.
    static func files(
        _ evidence: CodeSignatureEvidence,
        of bundle: AppBundle,
        in specimen: Specimen,
    ) -> [Complaint] {
        guard !evidence.isOfOtherCode, !evidence.faults.contains(where: \.isFatal) else {
            return []
        }
        return evidence.faultySlots.compactMap { slot in
            switch (slot.number, slot.state) {
            case (1, .differs):
                Complaint(
                    .infoChanged,
                    "Info.plist was changed after the code was signed",
                    at: bundle.infoPlace,
                )
            case (3, .differs):
                Complaint(
                    .sealChanged,
                    "The seal was changed after the code was signed",
                    at: bundle.sealPlace,
                )
            case (1, .missing):
                Complaint(
                    .signatureUnproven,
                    "Info.plist is too large to compare it with the signature",
                    at: bundle.infoPlace,
                )
            case (1, .unsealed):
                Complaint(
                    .signatureUncovered,
                    "The signature does not cover Info.plist",
                    at: bundle.infoPlace,
                    .inferred,
                )
            case (3, .unsealed):
                Complaint(
                    .signatureUncovered,
                    "The signature does not cover the seal",
                    at: bundle.sealPlace,
                    .inferred,
                )
            default: nil
            }
        }
    }
}

extension CodeSignatureEvidence {
    /// The slots that do not match, each number once: what is gravest of it in any CodeDirectory.
    ///
    /// The gravest is first.
    var faultySlots: [SlotEvidence] {
        var worst: [Int: SlotEvidence] = [:]
        for slot in directories.flatMap(\.slots) where slot.state != .matches {
            if let known = worst[slot.number], known.gravity >= slot.gravity { continue }
            worst[slot.number] = slot
        }
        return worst.values.sorted { ($1.gravity, $0.number) < ($0.gravity, $1.number) }
    }
}

extension SlotEvidence {
    fileprivate var gravity: Int {
        switch state {
        case .matches: 0
        // The kernel refuses entitlements that the CodeDirectory does not know.
        case .unsealed: number == 5 || number == 7 ? 2 : 1
        case .missing: 2
        case .differs: 3
        }
    }
}

extension AppBundle {
    var sealPlace: String { path + "/_CodeSignature/CodeResources" }
}
