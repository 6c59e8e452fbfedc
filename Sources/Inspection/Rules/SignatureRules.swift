import Bundles
import Bytes
import CodeSignature
import Cryptography
import MachOFormat

/// Checks the signature of every executable.
///
/// A check that another finding makes meaningless is skipped: the pages of code whose CodeDirectory was
/// changed, or the team of a signer who is not allowed to sign.
enum SignatureRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        let code = input.code
        let complaints = code.flatMap { code in
            integrity(of: code, in: input) + identity(of: code, in: input)
        }
        return (complaints + ages(of: code, in: input) + loose(in: input)).findings
    }

    /// Checks that the code is unchanged since an accepted signer signed it.
    static func integrity(of code: SignedCode, in input: InspectionInput) -> [Complaint] {
        guard code.executable.isKept else {
            return [
                Complaint(
                    .signatureUnproven,
                    "The signature was not checked: the app's executables are too large in total",
                    at: code.path,
                )
            ]
        }
        return [Complaint](code.slices) { slice in
            complaints(about: slice, at: code.path)
                + (slice.signature.evidence.map {
                    files($0, of: code)
                } ?? []) + mainBinary(slice, of: code)
        }
    }

    /// Since version 0x20400 a signature says whether it is that of a program; the kernel starts no
    /// other.
    private static func mainBinary(_ slice: SliceEvidence, of code: SignedCode) -> [Complaint] {
        guard code.bundle.kind.hasOwnProfile, slice.fileType == .executable,
            let segment = slice.signature.evidence?.chosen?.executableSegment,
            !segment.flags.contains(.mainBinary)
        else { return [] }
        return [
            Complaint(
                .signatureNotMain,
                "The signature does not say that this is a main program (CS_EXECSEG_MAIN_BINARY)",
                at: code.path,
                .inferred,
            )
        ]
    }

    /// The complaints about a slice's signature, without those about files beside the executable.
    static func complaints(about slice: SliceEvidence, at path: RelativePath) -> [Complaint] {
        switch slice.signature {
        case .absent:
            return [Complaint(.signatureMissing, "The code has no signature", at: path)]
        case .unreadable(let fault):
            return [form(fault, of: 1, at: path)]
        case .read(let evidence):
            let faults = evidence.faults.filter(\.isFatal)
            if let fault = faults.first { return [form(fault, of: faults.count, at: path)] }
            let signer = signer(evidence, at: path)
            guard !evidence.isOfOtherCode else { return signer }
            return signer + pages(evidence, at: path) + blobs(evidence, at: path)
                + irregularities(slice, evidence, at: path)
        }
    }

    private static func form(
        _ fault: SignatureFault,
        of count: Int,
        at path: RelativePath,
    ) -> Complaint {
        let more = count > 1 ? ", and \(count - 1) more faults" : ""
        guard fault.rule != .unsupportedPageSize else {
            return Complaint(.signaturePageSize, "The signature has \(fault)\(more)", at: path)
        }
        return Complaint(
            .signatureMalformed,
            "The signature is malformed: \(fault)\(more)",
            at: path,
        )
    }

    /// Irregularities that the kernel and Security accept and that Apple's tools do not write.
    private static func irregularities(
        _ slice: SliceEvidence,
        _ evidence: CodeSignatureEvidence,
        at path: RelativePath,
    ) -> [Complaint] {
        if let fault = evidence.faults.first(where: { $0.rule != .trailingBytes }) {
            return [
                Complaint(.signatureIrregular, "The signature has \(fault)", at: path, .inferred)
            ]
        }
        let covered = evidence.directories.map { $0.pages.count * ($0.pageSize ?? 0) }.min() ?? 0
        if let end = slice.signatureRange?.lowerBound, covered < end - slice.range.lowerBound {
            return [
                Complaint(
                    .signatureUncovered,
                    "The signature covers \(covered.grouped) of "
                        + "\((end - slice.range.lowerBound).grouped) bytes of "
                        + "code",
                    at: path,
                    .inferred,
                )
            ]
        }
        guard slice.bytesAfterSignature > 0 else {
            return evidence.faults.map {
                // Seen in genuine Ad Hoc builds; the kernel does not read beyond the last blob.
                Complaint(
                    .signatureIrregular,
                    "The padding of the signature is not all zeroes (offset \($0.offset) of it), "
                        + "which devices do not read",
                    at: path,
                    .harmless,
                )
            }
        }
        return [
            Complaint(
                .signatureIrregular,
                "\(slice.bytesAfterSignature.grouped) bytes follow the signature, which covers none of "
                    + "them",
                at: path,
                .inferred,
            )
        ]
    }

    /// Programs and libraries that no bundle names; devices check them when something loads them.
    ///
    /// The stub of an older watch app comes from Apple and is signed by Apple.
    private static func loose(in input: InspectionInput) -> [Complaint] {
        let unread = Set(
            input.provisioned.filter { !$0.defects.isEmpty || $0.executable == nil }
                .map(\.path)
        )
        let team = input.code.first?.signatures.lazy.compactMap(\.evidence.chosen?.team).first
        return input.signatures.looseCode.filter { code in
            !code.path.folders.contains { $0.name == "_WatchKitStub" }
                && !code.isInside(unread)
        }
        .flatMap { code in
            [Complaint](code.slices.picked(forWatch: true, from: nil)) { slice in
                let own = slice.signature.evidence?.chosen?.team
                let foreign =
                    own == nil || team == nil || own == team
                    ? nil : "The code is signed for team \(quoted: own ?? ""), not the app's"
                let reason =
                    complaints(about: slice, at: code.path)
                    .first { $0.certainty == .certain }?.message ?? foreign
                guard let reason else { return [] }
                return [
                    Complaint(
                        .looseCode,
                        "\(reason), and it is in no bundle: code that loads it fails",
                        at: code.path,
                        .inferred,
                    )
                ]
            }
        }
    }
}

extension ExecutableEvidence {
    fileprivate var isKept: Bool {
        if case .tooLarge = content { false } else { true }
    }

    /// Whether the file is in one of these folders, at any depth.
    fileprivate func isInside(_ folders: Set<RelativePath>) -> Bool {
        !folders.isEmpty && path.folders.contains(where: folders.contains)
    }
}

extension CodeSignatureEvidence {
    /// Whether the CMS message signs another CodeDirectory than the one in the signature.
    var isOfOtherCode: Bool {
        if case .refused(.digestMismatch, _) = signer { true } else { false }
    }
}

extension SignatureFault {
    /// Whether the kernel or Security refuses the signature because of this fault.
    ///
    /// Security requires a matching page count and a known version, and ignores a blob with the wrong
    /// magic; if there are more blobs than are read, nothing can be proven.
    var isFatal: Bool {
        switch rule {
        case .unsupportedVersion, .wrongPageCount, .wrongMagic, .tooManyBlobs: true
        default: isRefusedByKernel
        }
    }
}
