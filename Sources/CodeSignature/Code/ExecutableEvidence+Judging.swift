import Bytes
import Cryptography
import MachOFormat
import Zip

extension ExecutableEvidence {
    /// The context in which an executable is judged.
    struct Surroundings {
        let archive: ZipArchive
        var files: SpecialFiles
        let anchors: TrustAnchors
    }

    /// Compares a file that was read with its own signatures.
    init(_ entry: ZipEntry, _ reader: consuming CodeReader, in surroundings: Surroundings) {
        path = entry.path
        do throws(MalformedBytes) {
            var (file, pages) = try reader.finish()
            let signed = file.slices.map { SignedSlice($0) }
            var surroundings = surroundings
            if surroundings.files.sections != nil {
                surroundings.files.sections = file.slices.compactMap(\.information)
                    .map(SpecialFile.init)
            }
            var failure: String?
            do {
                try pages.complete(
                    signed.flatMap { $0.layouts(missingIn: pages) },
                    of: entry,
                    in: surroundings.archive,
                )
            } catch {
                failure = "\(error)"
            }
            content = .slices(
                signed.map { [surroundings] in
                    $0.evidence(pages, failure: failure, in: surroundings)
                }
            )
        } catch {
            content = .malformed(error)
        }
    }

    /// The approximate memory of the evidence in bytes.
    var weight: Int {
        slices.reduce(1024) { total, slice in
            let signature = slice.signature.evidence
            let texts = slice.libraries.map(\.path) + slice.runPaths
            let fixed = 4096 + 8 * (signature?.entitlements?.size ?? 0)
            return texts.reduce(total + fixed) { $0 + $1.utf8.count + 64 }
                + (signature?.requirements?.utf8.count ?? 0)
        }
    }
}

/// A slice with its parsed signature.
private struct SignedSlice {
    let slice: BinarySlice
    let signature: Result<CodeSignature?, SignatureFault>

    init(_ slice: BinarySlice) {
        self.slice = slice
        signature = Result { () throws(SignatureFault) in try slice.signature() }
    }

    private var directories: [CodeDirectory] { (try? signature.get())?.directories ?? [] }

    func layouts(missingIn pages: HashedPages) -> [(start: Int, layout: PageLayout)] {
        directories.compactMap { directory in
            guard let layout = PageLayout(directory, sliceSize: slice.range.count),
                pages.pages(ofSliceAt: slice.range.lowerBound, layout) == nil
            else { return nil }
            return (slice.range.lowerBound, layout)
        }
    }

    func evidence(
        _ pages: HashedPages,
        failure: String?,
        in surroundings: ExecutableEvidence.Surroundings,
    ) -> SliceEvidence {
        switch signature {
        case .failure(let fault): return SliceEvidence(slice, .unreadable(fault))
        case .success(nil): return SliceEvidence(slice, .absent)
        case .success(let signature?):
            var compared: [BlobSlot: PageEvidence] = [:]
            for directory in signature.directories {
                compared[directory.slot] = comparison(directory, pages, failure)
            }
            let evidence = CodeSignatureEvidence(
                signature,
                pages: compared,
                beside: surroundings.files,
                trusting: surroundings.anchors,
            )
            return SliceEvidence(slice, .read(evidence))
        }
    }

    private func comparison(
        _ directory: CodeDirectory,
        _ pages: HashedPages,
        _ failure: String?,
    ) -> PageEvidence {
        let start = slice.range.lowerBound
        guard let layout = PageLayout(directory, sliceSize: slice.range.count) else {
            return PageEvidence(.unusable)
        }
        guard let hashed = pages.pages(ofSliceAt: start, layout) else {
            return PageEvidence(failure.map { .unreadable($0) } ?? .unusable)
        }
        return PageEvidence(directory, against: hashed, sliceAt: start)
    }
}
