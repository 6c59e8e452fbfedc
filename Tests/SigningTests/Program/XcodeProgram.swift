import Bytes
import Cryptography
import Foundation
import MachOFormat
import PropertyLists
import Signing
import TestSupport
import Testing
import Zip

/// A program signed by Xcode, and the other parts that its signature covers.
struct XcodeProgram: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let infoPlist: [UInt8]?
    let codeResources: [UInt8]?

    var testDescription: String { name }

    /// Every signed program in the fixtures; empty on a machine without them.
    static let all: [XcodeProgram] =
        Fixtures.items(ofKind: "ipa").flatMap { (try? programs(in: $0)) ?? [] }
        + Fixtures.items(ofKind: "macho").compactMap { try? loose($0) }

    private static func programs(in item: Fixtures.Item) throws -> [XcodeProgram] {
        let archive = try ZipArchive(reading: MemorySource(try item.bytes()))
        var programs: [XcodeProgram] = []
        for entry in archive.entries where entry.kind == .file {
            let bytes = try archive.contents(of: entry, atMost: 1 << 26)
            guard let file = try? MachOFile(reading: bytes),
                file.slices.allSatisfy({ $0.signatureBytes != nil })
            else { continue }
            func beside(_ name: String) throws -> [UInt8]? {
                let path = RelativePath(entry.path.bytes).parent.map { $0 / RelativePath(name) }
                guard let path, let entry = archive[path] else { return nil }
                return try archive.contents(of: entry, atMost: 1 << 24)
            }
            programs.append(
                XcodeProgram(
                    name: "\(item.path) \(entry.path)",
                    bytes: bytes,
                    infoPlist: try beside("Info.plist"),
                    codeResources: try beside("_CodeSignature/CodeResources"),
                )
            )
        }
        return programs
    }

    private static func loose(_ item: Fixtures.Item) throws -> XcodeProgram? {
        let folder = item.url.deletingLastPathComponent()
        func beside(_ name: String) -> [UInt8]? {
            (try? Data(contentsOf: folder.appending(path: name))).map { Array($0) }
        }
        return XcodeProgram(
            name: item.path,
            bytes: try item.bytes(),
            infoPlist: beside("Info.plist"),
            codeResources: beside("_CodeSignature/CodeResources"),
        )
    }
}

extension XcodeProgram {
    /// The program re-signed with a new key, under the certificates that Xcode used.
    func signedAgain() throws -> [UInt8] {
        let file = try MachOFile(reading: bytes)
        let old = try #require(try file.slices[0].signature())
        let message = try SignedMessage(reading: Array(try #require(old.message)))
        let leaf = try #require(message.claimedSigner)
        let identity = SigningIdentity(
            certificate: leaf,
            key: try PrivateKey.generate(.rsa1024),
            chain: message.certificates.filter { $0 != leaf },
        )
        let seals = CodeSeals(
            identifier: try #require(old.primary?.identifier),
            infoPlist: infoPlist,
            codeResources: codeResources,
            entitlements: try old.entitlements.map { try PropertyList(reading: Array($0)) },
        )
        let signer = ProgramSigner(identity: identity, at: Signed.date)
        return try Signed.bytes(of: bytes, by: signer, sealing: seals)
    }
}
