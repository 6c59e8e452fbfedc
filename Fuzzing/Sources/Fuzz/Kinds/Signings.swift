import Bytes
import Cryptography
import MachOFormat
import PropertyLists
import Sample
import Signing

/// `signing`: a program is refused, or signed so that the kernel finds nothing wrong with it.
struct Signings: PlainInputKind {
    static let name = "signing"

    private let signer: ProgramSigner?

    /// Who signs does not matter, so that the key is another one in each run.
    init() {
        let sample = try? SeedAuthority().sample
        signer = sample.map { ProgramSigner(identity: $0.distribution, at: SeedAuthority.date) }
    }

    static func seeds(by authority: SeedAuthority) throws -> [String: [UInt8]] {
        [
            "bare": BareProgram(is64Bit: true).bytes,
            "older": BareProgram(is64Bit: false).bytes,
            "signed": BareProgram(is64Bit: true, isSigned: true).bytes,
            "universal": BareProgram.universal,
        ]
    }

    private static let seals = CodeSeals(
        identifier: "com.example.a",
        infoPlist: [1],
        codeResources: [2],
        entitlements: .dictionary(["get-task-allow": .boolean(true)]),
    )

    func check(_ input: [UInt8]) {
        guard let signer, let bytes = try? Self.signed(input, by: signer) else { return }
        guard let file = accepted({ () throws(MalformedBytes) in try MachOFile(reading: bytes) })
        else { stop("what was signed cannot be read") }
        for slice in file.slices {
            let signature = accepted { () throws(SignatureFault) in try slice.signature() }
            promise(signature??.faults.isEmpty == true, "the signature is faulty")
            promise(slice.bytesAfterSignature == 0, "something lies behind the signature")
            promise(signature??.best?.codeLimit == slice.codeLimit, "not all code is covered")
        }
        guard let again = try? Self.signed(bytes, by: signer) else {
            stop("what was signed cannot be signed again")
        }
        promise(again.count == bytes.count, "signing again changes the size")
    }

    /// The signed file; its size and digests are what was promised.
    private static func signed(_ program: [UInt8], by signer: ProgramSigner) throws -> [UInt8] {
        let signed = try signer.sign(program, named: "a", sealing: seals)
        var bytes: [UInt8] = []
        try unsafe signed.write(from: program) { unsafe bytes.append(contentsOf: $0) }
        promise(bytes.count == signed.count, "another size than was promised")
        let digest = DigestAlgorithm.sha256.digest(of: bytes)
        promise(digest == signed.sha256, "another digest than was promised")
        return bytes
    }
}

extension BinarySlice {
    /// Bytes before the signature.
    fileprivate var codeLimit: UInt64? {
        signatureRange.map { UInt64($0.lowerBound - range.lowerBound) }
    }
}
