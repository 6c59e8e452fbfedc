import Bytes
import MachOFormat

/// `macho`: a file that is read in pieces gives the same result as in one piece.
struct Programs: PlainInputKind {
    static let name = "macho"

    static func seeds(by authority: SeedAuthority) throws -> [String: [UInt8]] {
        let program = try SmallProgram(signedBy: authority)
        return [
            "signed": program.bytes,
            "universal": program.universal,
            "older": SmallProgram.unsigned32,
        ]
    }

    func check(_ input: [UInt8]) {
        let whole = Result { () throws(MalformedBytes) in try MachOFile(reading: input) }
        // The pieces depend only on the input, so that a fault can be reproduced.
        for salt in [1, 2] as [UInt64] {
            let pieces = Self.inPieces(input, salt: salt)
            switch (whole, pieces) {
            case (.success(let one), .success(let other)):
                promise(Self.isSame(one, other), "pieces make another file than the whole")
            case (.failure(let one), .failure(let other)):
                promise(one == other, "pieces fail otherwise: \(other), and not \(one)")
            default: stop("pieces and the whole disagree on whether the file can be read")
            }
        }
        guard let file = try? whole.get() else { return }
        for slice in file.slices { check(slice, size: input.count) }
    }

    private static func inPieces(
        _ input: [UInt8],
        salt: UInt64,
    ) -> Result<MachOFile, MalformedBytes> {
        var scanner = MachOScanner(fileSize: input.count)
        var rest = input[...]
        var state = salt &+ UInt64(input.count)
        while !rest.isEmpty {
            state = state &* 6_364_136_223_846_793_005 &+ UInt64(rest[rest.startIndex]) &+ 1
            let piece = rest.prefix(1 + Int(state >> 58))
            scanner.take(piece)
            rest = rest.dropFirst(piece.count)
            let ranges = scanner.sliceRanges
            promise(
                scanner.codeRanges.count == ranges.count
                    && zip(scanner.codeRanges, ranges).allSatisfy {
                        $0.lowerBound == $1.lowerBound && $0.upperBound <= $1.upperBound
                    },
                "code lies outside of its slice",
            )
        }
        promise(scanner.position == input.count, "the scanner lost count")
        do throws(MalformedBytes) { return .success(try scanner.finish()) } catch {
            return .failure(error)
        }
    }

    private static func isSame(_ one: MachOFile, _ other: MachOFile) -> Bool {
        one.universal == other.universal && one.slices.count == other.slices.count
            && zip(one.slices, other.slices).allSatisfy {
                $0.range == $1.range && $0.header == $1.header && $0.commands == $1.commands
                    && $0.signatureBytes == $1.signatureBytes
            }
    }

    private func check(_ slice: BinarySlice, size: Int) {
        promise(slice.range.upperBound <= size, "a slice leaves the file")
        promise(slice.bytesAfterSignature >= 0, "a signature leaves its slice")
        for segment in slice.segments {
            promise(segment.fileRange.upperBound <= slice.range.count, "a segment leaves it")
        }
        _ = (slice.buildVersions.count, slice.libraries.count, slice.identity, slice.uuid)
        let signature = accepted { () throws(SignatureFault) in try slice.signature() }
        if case .some(.some(let signature)) = signature { check(signature) }
    }

    private func check(_ signature: CodeSignature) {
        for blob in signature.blobs {
            promise(blob.range.upperBound <= signature.bytes.count, "a blob leaves the signature")
        }
        for fault in signature.faults { _ = "\(fault)" }
        for directory in signature.directories {
            let pages = [-1, 0, 1, directory.pageCount - 1, directory.pageCount, .max]
            for page in pages {
                let digest = directory.digest(ofPage: page)
                promise(
                    digest.map { $0.count == directory.hashSize } ?? true,
                    "a digest has another size than its kind",
                )
                _ = directory.preEncryptDigest(ofPage: page)
            }
            for slot in [-1, 0, 1, 7, directory.specialSlotCount, .max] {
                _ = directory.digest(ofSlot: slot)
            }
            _ = (directory.identifier, directory.team, directory.expectedPageCount)
            _ = (directory.scatteredRanges, directory.linkageDigest)
        }
        if let blob = signature.blob(in: .requirements) { Requirements.check(set: blob) }
        if let content = signature.derEntitlements { EntitlementEncodings.check(content) }
    }
}
