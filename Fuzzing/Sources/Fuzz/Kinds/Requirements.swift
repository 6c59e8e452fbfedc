import Bytes
import MachOFormat
import Signing

/// `requirement`: an expression is read or refused, and the length of its text is proportional to its own.
struct Requirements: PlainInputKind {
    static let name = "requirement"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let designated = DesignatedRequirement(identifier: "com.example.a", signerName: "Signer")
        var every = ByteWriter()
        for word: UInt32 in [0xfade_0c01, 76, 1, 3, 20, 0xfade_0c00, 56, 1] {
            every.bigEndian(word)
        }
        // ! (never or (anchor trusted and certificate root trusted)) with an unknown operation.
        for word: UInt32 in [9, 7, 0, 6, 13, 6, 12, .max, 0x4000_0030, 0, 1] {
            every.bigEndian(word)
        }
        return ["designated": designated.blob, "operations": every.bytes]
    }

    func check(_ input: [UInt8]) {
        Self.check(set: input[...])
        _ = accepted { () throws(MalformedBytes) in try Requirement(reading: input[...]) }
            .map { Self.check("\($0)", from: input.count) }
    }

    static func check(set blob: ArraySlice<UInt8>) {
        let set = accepted { () throws(MalformedBytes) in try RequirementSet(reading: blob) }
        guard let set else { return }
        check("\(set)", from: blob.count)
        for entry in set.entries where set.entries.count(where: { $0.kind == entry.kind }) > 1 {
            stop("two requirements of one kind")
        }
    }

    /// An operation of four bytes takes fewer than a hundred letters.
    private static func check(_ text: String, from size: Int) {
        promise(
            text.utf8.count <= 25 * size + 100,
            "\(size) bytes are spelled in \(text.utf8.count)",
        )
    }
}
