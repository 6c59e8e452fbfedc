import Bytes
import Cryptography
import PropertyLists
import Sample
import Signing

/// A program of two kilobytes with a valid signature, without a linker's padding to pages.
struct SmallProgram {
    let bytes: [UInt8]

    /// - Parameters:
    ///   - authority: the authority that signs as a team does for its testers.
    ///   - infoPlist: the content for slot 1.
    ///   - codeResources: the content for slot 3.
    /// - Throws: an error if the authority cannot sign.
    init(
        signedBy authority: SeedAuthority,
        infoPlist: [UInt8]? = nil,
        codeResources: [UInt8]? = nil,
    ) throws {
        let identity = authority.sample.distribution
        let requirement = DesignatedRequirement(identifier: "a", signerName: "b").blob
        let entitlements: PropertyList = .dictionary(["get-task-allow": .boolean(false)])
        let xml = Self.blob(0xfade_7171, entitlements.xml())
        let der = Self.blob(0xfade_7172, try EntitlementsDER.encoding(entitlements))
        var directory = CodeDirectoryBuilder(
            identifier: "a",
            team: authority.sample.team.identifier,
        )
        directory.specialSlots = [2: requirement, 5: xml, 7: der]
        directory.specialSlots[1] = infoPlist
        directory.specialSlots[3] = codeResources
        // The code contains the signature's size and is signed itself, so the size is fixed in advance.
        let code = Self.code(signatureSize: Self.signatureSize)
        let code1 = directory.blob(over: code)
        var signer = CMSSigner(identity)
        signer.isDetached = true
        let message = try signer.sign(code1, at: SeedAuthority.date)
        let signature = SuperBlob([
            (SignatureSlot.codeDirectory, code1), (SignatureSlot.requirements, requirement),
            (SignatureSlot.entitlements, xml), (SignatureSlot.derEntitlements, der),
            (SignatureSlot.message, Self.blob(0xfade_0b01, message)),
        ]).bytes
        let padding = Self.signatureSize - signature.count
        bytes = code + signature + Array(repeating: 0, count: padding)
    }

    private static let signatureSize = 4096

    private static func blob(_ magic: UInt32, _ content: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.bigEndian(magic)
        writer.bigEndian(UInt32(content.count + 8))
        writer.append(content)
        return writer.bytes
    }

    /// Header and load commands, without machine code.
    private static func code(signatureSize: Int) -> [UInt8] {
        let library = Array("/usr/lib/libSystem.B.dylib".utf8)
        let commands: [[UInt32]] = [
            // LC_BUILD_VERSION for iOS 15 and SDK 26.2, with one tool.
            [0x32, 32, 2, 0x000f_0000, 0x001a_0200, 1, 3, 0x0400_0000],
            // LC_MAIN.
            [0x8000_0028, 24, 0, 0, 0, 0],
            // LC_UUID.
            [0x1b, 24, 1, 2, 3, 4],
            // LC_ENCRYPTION_INFO_64 of an empty range.
            [0x2c, 24, 0, 0, 0, 0],
        ]
        var body = ByteWriter()
        for word in commands.joined() { body.littleEndian(word) }
        for word: UInt32 in [0x0c, 56, 24, 2, 0x0001_0000, 0x0001_0000] { body.littleEndian(word) }
        body.append(library + Array(repeating: 0, count: 32 - library.count))
        let end = 32 + body.count + 16
        for word in [0x1d, 16, UInt32(end), UInt32(signatureSize)] { body.littleEndian(word) }
        var writer = ByteWriter()
        let count = UInt32(commands.count + 2)
        let header: [UInt32] = [
            0xfeed_facf, 0x0100_000c, 0, 2, count, UInt32(body.count), 0x0020_0085, 0,
        ]
        for word in header { writer.littleEndian(word) }
        writer.append(body.bytes)
        return writer.bytes
    }
}

extension SmallProgram {
    /// A universal file with this program and an older, unsigned one.
    var universal: [UInt8] {
        var writer = ByteWriter()
        let older = Self.unsigned32
        let places = (first: 64, second: 64 + bytes.count)
        for word in [0xcafe_babe, 2] as [UInt32] { writer.bigEndian(word) }
        for word in [0x0100_000c, 0, UInt32(places.first), UInt32(bytes.count), 4] as [UInt32] {
            writer.bigEndian(word)
        }
        for word in [12, 9, UInt32(places.second), UInt32(older.count), 4] as [UInt32] {
            writer.bigEndian(word)
        }
        writer.append(Array(repeating: 0, count: places.first - writer.count))
        writer.append(bytes + older)
        return writer.bytes
    }

    /// A slice for ARMv7 with the version command of its time.
    static let unsigned32: [UInt8] = {
        var writer = ByteWriter()
        let words: [UInt32] = [
            0xfeed_face, 12, 9, 2, 2, 36, 0x85, 0x25, 16, 0x0009_0000, 0x000a_0000, 0x8000_001c, 20,
            12, 0x2f40, 0,
        ]
        for word in words { writer.littleEndian(word) }
        return writer.bytes
    }()
}
