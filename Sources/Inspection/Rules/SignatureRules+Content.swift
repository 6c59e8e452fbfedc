import Bundles
import Bytes
import CodeSignature
import Identifiers

/// Checks the signed content against the actual content.
extension SignatureRules {
    static func pages(_ evidence: CodeSignatureEvidence, at path: RelativePath) -> [Complaint] {
        let passedOver = evidence.directories.filter { $0.slot != evidence.chosen?.slot }
        for directory in [evidence.chosen].compactMap(\.self) + passedOver {
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
                guard directory.slot == evidence.chosen?.slot else {
                    return [passedOverDirectory(directory, at: path)]
                }
                return [Complaint(.pagesChanged, changed(directory.pages), at: path)]
            case .compared: continue
            }
        }
        return []
    }

    /// The kernel uses only the CodeDirectory with the best digest (xnu `cs_validate_csblob`); which one
    /// iOS before 11 used is not documented.
    private static func passedOverDirectory(
        _ directory: DirectoryEvidence,
        at path: RelativePath,
    ) -> Complaint {
        Complaint(
            .signatureIrregular,
            "The code directory with \(directory.hashType) digests is for other code; devices use "
                + "the one with stronger digests, which matches",
            at: path,
            .inferred,
        )
    }

    private static func changed(_ pages: PageEvidence) -> String {
        let offset = pages.mismatches.first?.offset ?? 0
        let numbers = pages.mismatches.prefix(8).map { "\($0.page)" }.joined(separator: ", ")
        guard pages.mismatchCount > 1 else {
            return
                "Page \(numbers) of \(pages.count.grouped), at offset \(offset) of the file, is not the "
                + "code that was signed"
        }
        let more = pages.mismatchCount > 8 ? " and \((pages.mismatchCount - 8).grouped) more" : ""
        return
            "\(pages.mismatchCount.grouped) of \(pages.count.grouped) pages are not the code "
            + "that was signed: "
            + "\(numbers)\(more), from offset \(offset) of the file"
    }

    /// Checks the slots of the blobs inside the signature.
    static func blobs(_ evidence: CodeSignatureEvidence, at path: RelativePath) -> [Complaint] {
        let slots = evidence.faultySlots.filter { $0.number != 1 && $0.number != 3 }
        guard let first = slots.first else { return [] }
        let name = "The \(blobName(first.number)) of the signature (slot -\(first.number))"
        switch first.state {
        case .matches, .incomparable: return []
        case .differs:
            return [Complaint(.blobChanged, "\(name) are not the ones that were signed", at: path)]
        case .missing:
            return [Complaint(.blobChanged, "\(name) were signed, but are missing", at: path)]
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

    /// Checks the slots of the files beside the executable: Info.plist and the seal.
    ///
    /// `SealRules` reports a missing seal.
    static func files(
        _ evidence: CodeSignatureEvidence,
        of code: SignedCode,
    ) -> [Complaint] {
        guard !evidence.isOfOtherCode, !evidence.faults.contains(where: \.isFatal) else {
            return []
        }
        let bundle = code.bundle
        guard bundle.kind != .dynamicLibrary else { return section(evidence, at: code.path) }
        if let exchanged = exchangedProgram(evidence, of: code) { return [exchanged] }
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
                    "Info.plist could not be compared with the signature",
                    at: bundle.infoPlace,
                    .inferred,
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

extension SignatureRules {
    /// Checks the Info.plist inside a library, which its pages also cover: a differing digest in slot -1
    /// is odd, but no device has been seen to refuse it.
    private static func section(
        _ evidence: CodeSignatureEvidence,
        at path: RelativePath,
    ) -> [Complaint] {
        evidence.faultySlots.filter { $0.number == 1 }.compactMap { slot in
            switch slot.state {
            case .differs:
                Complaint(
                    .signatureIrregular,
                    "The Info.plist inside the library (__TEXT,__info_plist) is not the one of "
                        + "slot -1 of the signature",
                    at: path,
                    .inferred,
                )
            case .incomparable:
                Complaint(
                    .signatureIrregular,
                    "Slot -1 of the signature is of an Info.plist, but the library has none inside",
                    at: path,
                    .inferred,
                )
            case .matches, .missing, .unsealed: nil
            }
        }
    }

    /// A program whose signature has another Info.plist and another seal was signed in another bundle;
    /// nothing else about the two is reported.
    private static func exchangedProgram(
        _ evidence: CodeSignatureEvidence,
        of code: SignedCode,
    ) -> Complaint? {
        let differing = evidence.faultySlots.filter { $0.state == .differs }.map(\.number)
        guard differing.contains(1), differing.contains(3) else { return nil }
        let name = evidence.chosen?.identifier ?? ""
        let team = evidence.chosen?.team.map { " for team \(quoted: $0)" } ?? ""
        let own = code.bundle.info.bundleIdentifier?.rawValue
        let other = own == name ? ", or both files were changed since" : ""
        return Complaint(
            .programExchanged,
            "The executable was replaced after signing: it is signed as \(quoted: name)\(team) with "
                + "an Info.plist and a seal that are not the bundle's\(other)",
            at: code.path,
        )
    }
}

extension CodeSignatureEvidence {
    /// The slots that do not match in the CodeDirectory that devices use, the most serious first.
    var faultySlots: [SlotEvidence] {
        (chosen?.slots ?? []).filter { $0.state != .matches }
            .sorted { ($1.gravity, $0.number) < ($0.gravity, $1.number) }
    }
}

extension SlotEvidence {
    fileprivate var gravity: Int {
        switch state {
        case .matches, .incomparable: 0
        // The kernel refuses entitlements for which the CodeDirectory has no slot.
        case .unsealed: number == 5 || number == 7 ? 2 : 1
        case .missing: 2
        case .differs: 3
        }
    }
}

extension AppBundle {
    var sealPlace: RelativePath { path / "_CodeSignature/CodeResources" }
}
