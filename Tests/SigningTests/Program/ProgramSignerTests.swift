import Bytes
import Cryptography
import MachOFormat
import PropertyLists
import Sample
import Signing
import Testing

@Suite struct ProgramSignerTests {
    private static let kinds: [MachOBuilder.Kind] = [.executable, .dynamicLibrary]

    static func unsigned(
        _ kind: MachOBuilder.Kind = .executable,
        _ architecture: Architecture = .arm64,
        extraCode: Int = 10_000,
        _ adjust: (inout MachOBuilder) -> Void = { _ in },
    ) throws -> [UInt8] {
        var builder = MachOBuilder(kind, named: "demo", architecture: architecture)
        builder.extraCode = extraCode
        adjust(&builder)
        return try builder.slice(reservingSignature: 0).bytes
    }

    @Test(arguments: kinds, Architecture.allCases)
    func `a slice that was never signed gets the command, the room and the signature`(
        kind: MachOBuilder.Kind,
        architecture: Architecture,
    ) throws {
        let program = try Self.unsigned(kind, architecture)
        let before = try MachOFile(reading: program).slices[0]
        let slice = try Signed.slices(of: try Signed.bytes(of: program))[0]
        #expect(slice.header.commandCount == before.header.commandCount + 1)
        #expect(slice.header.commandBytes == before.header.commandBytes + 16)
        #expect(
            slice.commands.dropLast().filter(Self.isNoSegment)
                == before.commands.filter(Self.isNoSegment)
        )
        let directory = try #require(try slice.signature()?.primary)
        #expect(directory.identifier == "com.example.demo")
        #expect(directory.team == "OTASAMPLE1")
        #expect(directory.version == 0x20400)
        #expect(directory.flags == [])
        let flags = directory.executableSegment?.flags
        #expect(flags == (kind == .executable ? .mainBinary : []))
    }

    private static func isNoSegment(_ command: LoadCommand) -> Bool {
        if case .segment = command { false } else { true }
    }

    @Test(arguments: [0, 1, 4_000, 100_000, 1_000_000])
    func `signing twice gives the same bytes, and no tail stays`(extraCode: Int) throws {
        let program = try Self.unsigned(extraCode: extraCode)
        var large = Signed.seals
        large.entitlements = .dictionary(["key": .string(String(repeating: "x", count: 50_000))])
        // P-256 signatures differ each time, so the programs are compared without the signed message.
        let once = try Signed.bytes(of: program)
        let twice = try Signed.bytes(of: once)
        let shrunk = try Signed.bytes(of: try Signed.bytes(of: program, sealing: large))
        for other in [twice, shrunk] {
            #expect(other.count == once.count)
            let (one, two) = (try Signed.slices(of: once)[0], try Signed.slices(of: other)[0])
            let start = try #require(one.signatureRange).lowerBound
            #expect(two.signatureRange == one.signatureRange)
            #expect(
                try two.signature()?.blob(in: .requirements)
                    == one.signature()?.blob(in: .requirements)
            )
            let differences = (0..<start).filter { once[$0] != other[$0] }
            // A larger signature has enlarged __LINKEDIT in memory, which is harmless.
            #expect(other == twice ? differences.isEmpty : differences.count <= 3)
        }
    }

    @Test func `an RSA key gives the same bytes each time, whatever was signed before`() throws {
        let team = try SigningAuthority.cached().distribution
        let signer = ProgramSigner(
            identity: SigningIdentity(
                certificate: team.certificate,
                key: try PrivateKey.generate(.rsa1024),
                chain: team.chain,
            ),
            at: Signed.date,
        )
        let program = try Self.unsigned()
        let once = try Signed.bytes(of: program, by: signer)
        let isSame = try Signed.bytes(of: program, by: signer) == once
        let isSameAgain = try Signed.bytes(of: once, by: signer) == once
        #expect(isSame && isSameAgain)
    }

    @Test func `the message is the signer's, over the primary directory`() throws {
        for minimum in ["10.0", "15.0"] {
            let program = try Self.unsigned { $0.minimumOS = minimum }
            let slice = try Signed.slices(of: try Signed.bytes(of: program))[0]
            let signature = try #require(try slice.signature())
            let message = try SignedMessage(reading: Array(try #require(signature.message)))
            let authority = try SigningAuthority.cached()
            var policy = SignerPolicy(chainLength: 3, checksDates: true)
            policy.purposes = [.codeSigning]
            policy.knownCriticalExtensions = [
                AppleExtension.distribution, AppleExtension.universalDistribution,
            ]
            let verified = try message.verified(
                by: policy,
                anchors: TrustAnchors.apple.adding([authority.anchor]),
                at: Signed.date,
                detachedContent: signature.primary.map { Array($0.bytes) },
            )
            #expect(verified.signer == authority.distribution.certificate)
            #expect(verified.signingTime == Signed.date)
        }
    }

    @Test(arguments: [
        ("9.0", MachOPlatform.iOS, [HashType.sha1, .sha256]), ("10.3", .tvOS, [.sha1, .sha256]),
        ("11.0", .iOS, [.sha256]), ("26.0", .iOS, [.sha256]),
        ("11.0", .watchOS, [.sha1, .sha256]),
        ("1.0", .visionOS, [.sha256]),
    ])
    func `the oldest system decides on the digests`(
        minimum: String,
        platform: MachOPlatform,
        hashes: [HashType],
    ) throws {
        let program = try Self.unsigned {
            $0.minimumOS = minimum
            $0.platform = platform
        }
        let slice = try Signed.slices(of: try Signed.bytes(of: program))[0]
        let signature = try #require(try slice.signature())
        #expect(signature.directories.map(\.hashType) == hashes)
        let alternate: [BlobSlot] = hashes.count == 1 ? [] : [.alternateCodeDirectory(0)]
        #expect(
            signature.blobs.map(\.slot)
                == [.codeDirectory, .requirements, .entitlements, .derEntitlements] + alternate
                + [.message]
        )
    }

    @Test(arguments: [PropertyList.boolean(true), .boolean(false), .string("true"), .integer(1)])
    func `a debugger may attach where get-task-allow is true, and not where it is there`(
        value: PropertyList
    ) throws {
        var seals = Signed.seals
        seals.entitlements = .dictionary(["get-task-allow": value])
        let slice = try Signed.slices(
            of: try Signed.bytes(of: try Self.unsigned(), sealing: seals)
        )[0]
        let flags = try slice.signature()?.primary?.executableSegment?.flags
        #expect(flags == (value == .boolean(true) ? [.mainBinary, .allowsUnsigned] : .mainBinary))
    }

    @Test func `code without entitlements has three slots, and one without a bundle two`() throws {
        let library = try Self.unsigned(.dynamicLibrary)
        var seals = CodeSeals(
            identifier: "com.example.demo",
            infoPlist: [1],
            codeResources: [2],
        )
        for count in [3, 2] {
            let slice = try Signed.slices(of: try Signed.bytes(of: library, sealing: seals))[0]
            let signature = try #require(try slice.signature())
            #expect(signature.blobs.map(\.slot) == [.codeDirectory, .requirements, .message])
            #expect(signature.primary?.specialSlotCount == count)
            seals = CodeSeals(identifier: "libdemo")
        }
    }

    @Test func `the Info.plist inside stands for one beside the program`() throws {
        let information = Array("<plist/>".utf8)
        let library = try Self.unsigned(.dynamicLibrary) { $0.information = information }
        let bytes = try Signed.bytes(of: library, sealing: CodeSeals(identifier: "libdemo"))
        let digest = try Signed.slices(of: bytes)[0].signature()?.primary?.digest(ofSlot: 1)
        #expect(digest.map(Array.init) == DigestAlgorithm.sha256.digest(of: information))
    }

    @Test(arguments: [
        (0x2 as UInt32, 0 as UInt32), (0x2_0002, 0), (0x2_0300, 0), (0x300, 0x300),
        (0x2a02, 0x2a00),
        (0x1_0000, 0x1_0000), (0x400_0000, 0),
    ])
    func `flags that a signer chose stay, and those that say who signed do not`(
        old: UInt32,
        kept: UInt32,
    ) throws {
        var options = SigningOptions()
        options.flags = old
        let signer = CodeSigner(
            identity: try SigningAuthority.cached().development,
            options: options,
            at: Signed.date,
        )
        let bytes = try signer.signed([MachOBuilder(named: "demo")], sealing: Signed.seals)
        let directory = try Signed.slices(of: try Signed.bytes(of: bytes))[0].signature()?.primary
        #expect(directory?.flags.rawValue == kept)
        let hasRuntime = kept & 0x1_0000 != 0
        #expect(directory?.version == (hasRuntime ? 0x20500 : 0x20400))
        // The SDK's version if the former signature was too old to have one.
        #expect(directory?.runtime == (hasRuntime ? PackedVersion(rawValue: 0x1a_0200) : nil))
    }

    @Test func `headers that were read already are not read again`() throws {
        let program = try Self.unsigned()
        let headers = try ProgramSigner.headers(of: program, named: "Demo")
        let counted = CountedReadings(bytes: program)
        let signed = try Signed.signer()
            .sign(counted, headers: headers, named: "Demo", sealing: Signed.seals)
        #expect(counted.readings == 1)
        _ = try Signed.signer().sign(counted, named: "Demo", sealing: Signed.seals)
        #expect(counted.readings == 3)
        #expect(signed.parts.contains(.original(signed.originalCode)))
    }
}

extension SignedProgram {
    fileprivate var originalCode: Range<Int> {
        for case .original(let range) in parts { return range }
        return 0..<0
    }
}

/// An array that counts how often it is read.
private final class CountedReadings: ReplayableBytes, @unchecked Sendable {
    let bytes: [UInt8]
    private(set) var readings = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        readings += 1
        try unsafe bytes.read { try unsafe body($0) }
    }
}
