import Addresses
@testable import Bundles
import Bytes
@testable import CodeSignature
import Cryptography
import Foundation
@testable import HTTPServing
@testable import Images
import Inspection
import MachOFormat
import Packaging
import Problems
import PropertyLists
@testable import Sample
import Signing
import Versions
import Zip

/// Values of the errors of code that reads and makes builds.
extension ErrorSamples {
    private static let bad = MalformedBytes("magic", at: 0, .invalid("is odd"))

    func reading() throws -> [any ReportableError] {
        var all: [any ReportableError] = []
        func add(_ errors: [any ReportableError]) { all += errors }
        add(
            [
                .tooLarge(limit: 1), .tooManyElements(limit: 1), .tooManyCertificates(limit: 1),
                .notSignedData, .field(Self.bad), .certificate(.noCertificateInText),
                .repeatedAttribute(.data),
            ] as [MalformedMessage]
        )
        add(
            [
                .notACertificate(reason: "odd"), .field(Self.bad), .repeatedExtension(.data),
                .invalidTime("notBefore"), .noCertificateInText,
            ] as [MalformedCertificate]
        )
        add(
            [
                .noKeyInText, .encrypted, .notAKey(reason: nil), .unsupported(.other("Ed25519")),
                .damaged, .cannotSign(reason: nil), .cannotGenerate(reason: nil),
            ] as [MalformedKey]
        )
        add(
            [
                .tooLarge(limit: 1), .unknownFormat, .notPKCS12(reason: nil),
                .tooManyParts(limit: 1), .tooCostly(limit: 1), .unsupportedEncryption(.data),
                .noLegacyProvider, .passphraseNeeded, .emptyPassphrase, .wrongPassphrase, .noKey,
                .noCertificate, .key(.encrypted), .certificate(.noCertificateInText),
            ] as [MalformedIdentity]
        )
        add(
            [
                .unusableKey("A", .rsa(bits: 1024)), .notForApps("A"), .noTeam("A"),
                .notYetValid("A", from: date), .expired("A", on: date),
                .incompleteChain("A", issuer: "B"), .notAccepted("A", .signatureInvalid),
            ] as [IdentityRefusal]
        )
        add(
            [
                .notInProfile(certificate: "A", profile: "P"),
                .noneInProfile(certificates: ["A"], profile: "P"), .several(["A", "B"]),
            ] as [IdentityChoiceRefusal]
        )
        let purpose = SealingPurpose("signing identity", of: "team ABCDE12345")
        add(
            [
                .otherKey(purpose, sealedWith: "0123456789abcdef", given: "fedcba9876543210"),
                .damaged(purpose),
            ] as [SealRefusal]
        )
        add(
            [
                .notAProfile("odd"), .cutOff(have: 1, need: 2), .missing("UUID"), .unsigned,
                .signature(.noSigner),
            ] as [ProfileRefusal]
        )
        add(
            [
                .bundle(.noApplication, place: "Payload", detail: "there is no app"),
                .archive(ZipRefusal(.truncated, at: "Payload/", "the entry ends early")),
            ] as [BundleRefusal]
        )
        add(
            [
                .propertyList(MalformedPropertyList(.cycle)), .noFiles, .tooLarge(1),
                .unreadable("the entry is damaged"),
            ] as [MalformedSeal]
        )
        add(
            [
                .badTag(.empty), .noVersion(tag, .tooLong), .severalPrefixes(["a/", "b/"]),
                .badPrefix("-"),
            ] as [VersionRefusal]
        )
        add(
            [
                .tooLong, .numbers("x"), .largeNumber("1234567890"), .leadingZero("01"),
                .identifier("é"), .otherPrefix("app/"),
            ] as [VersionFlaw]
        )
        add(
            [
                .empty, .tooLong, .leadingHyphen("-v1"), .character(" ", in: "v 1"),
                .notAReference("v1..2"),
            ] as [TagFlaw]
        )
        add(
            [
                .missing("a"), .unreadable("a", reason: "denied"), .outside("../a", from: "b"),
                .tooLarge("a", limit: 1), .tooManyFiles(1), .includesItself("a"),
                .syntax("a", line: 1, reason: "a brace has no end"), .notYAML("a", reason: "odd"),
                .notAProject("a", reason: "it has no targets"), .circular("A"), .tooLong("A"),
                .tooMuch("a"), .unknownOperator("upper", setting: "A"),
                .unknownTarget("x", known: ["y"]), .unknownConfiguration("x", known: ["y"]),
            ] as [SettingsFlaw]
        )
        add(
            [
                .notAnArchive("a", reason: "it has no Info.plist"), .noApplication("a"),
                .severalApplications(["a", "b"]), .special("a"),
                .escapingLink("a", reason: "leads out of the app"), .badName("a"),
                .tooMany(entries: 1), .tooLarge(bytes: 1), .tooDeep("a"), .changed("a"),
                .unreadable("a", reason: "denied"), .unwritable("a", reason: "denied"),
                .unusable("it has no app", place: "a"),
            ] as [PackageRefusal]
        )
        let fault = ProgramFault.linkEditMissing(slice: "arm64")
        add(
            [
                .malformed(Self.bad), .notLoadable(slice: "arm64"), .encrypted(slice: "arm64"),
                fault, .linkEditMisplaced(slice: "arm64", reason: "appears twice"),
                .signatureNotLast(slice: "arm64"), .bytesBetweenSlices,
                .noRoomForCommand(slice: "arm64", needed: 16, available: 8), .tooLarge(limit: 1),
                .identifierNotUsable, .entitlementNotEncodable(key: "a"),
                .signaturesTooLarge(limit: 1 << 20),
                .messageTooLarge(needed: 2, reserved: 1), .cannotSign(reason: "odd"),
            ] as [ProgramFault]
        )
        add(
            [
                .program(fault, at: "Demo"), .unreadable("Demo", reason: "odd"),
                .bundle(.identifierMissing, at: "Demo"),
                .profilesMissing([
                    .init(path: "Demo", identifier: "com.a"),
                    .init(path: "Demo/PlugIns/A.appex", identifier: "com.a.b"),
                ]),
                .archive(.bundle(.noApplication, place: "Payload", detail: "there is no app")),
            ] as [SigningRefusal]
        )
        add(
            [
                .identifierMissing, .executableMissing(name: nil), .executableMissing(name: "A"),
                .executableNotCode(name: "A"), .placeTaken(name: "A"),
                .tooManyClaims(key: "a", limit: 1), .specialFile(name: "A"),
                .profileMissing(identifier: "com.a.b", kind: .application, offered: ["B"]),
                .profileMissing(identifier: "com.a.b", kind: .appExtension, offered: []),
                .profileUnproven("A", reason: "odd"), .profileExpired("A", on: date),
                .profileOfOtherTeam("A", team: "B", signer: "C"), .profileForStore("A"),
                .profileForOtherPlatform("A", ["tvOS"]),
                .certificateNotInProfile("A", certificate: "B"),
                .mixedKinds("A", .adHoc, app: "B", .development),
                .notGranted(
                    profile: "A",
                    [.init(key: "aps-environment", excess: "production", granted: nil)],
                ),
                .entitlementsMalformed("A", reason: "odd"),
            ] as [BundleFault]
        )
        add(
            [
                .signatureTooLarge(needed: 2, reserved: 1), .headerTooLarge(1),
                .entitlementNotEncodable(key: "a"), .noSuchFile("a"), .incompleteAuthority("a key"),
                .cannotWrite(path: "a", reason: "denied"),
            ] as [SampleFailure]
        )
        add([
            Self.bad, SourceFailure(offset: 0, reason: "gone"),
            OversizedCount(what: "pixels", limit: 1),
            WrongText(wanted: "a version such as 18.1"),
            ZipRefusal(.truncated, at: "Payload/", "the entry ends early"),
            MalformedPropertyList(.cycle), QRCode.TextTooLong(bytes: 9000, limit: 2953),
            SignatureFault(.truncated, at: 0, "the signature ends early"),
            MalformedPattern(offset: 0, reason: "a bracket has no end"),
            UnreadableArchive(ZipRefusal(.truncated, at: "Payload/", "the entry ends early")),
            yaml,
        ])
        add([.entryTooLarge("a"), .outOfMemory] as [ZipWriterFailure])
        add(
            [
                .notPNG, .malformed(Self.bad), .checksum(chunk: "IHDR"), .unknownChunk("ABCD"),
                .misplacedChunk("IHDR"), .missingChunk("IEND"), .header("is odd"),
                .tooLarge(width: 1, height: 1, maxPixels: 0), .corruptData,
                .tooLong(width: 1, height: 1, longestSide: 0), .wrongDataSize(expected: 1),
                .unknownFilter(9), .paletteIndex(2, paletteSize: 1),
            ] as [MalformedImage]
        )
        add(
            [
                .noSigner, .severalSigners(2), .signerCertificateMissing, .contentMissing,
                .contentMismatch, .unsupportedAlgorithm(.data), .attributeMissing(.data),
                .contentTypeMismatch, .digestMismatch, .ambiguousContent, .signatureInvalid,
                .untrustedRoot("Root"), .chainTooShort(1, expected: 2),
                .chainTooLong(3, expected: 2), .unexpectedSigner("Ana"), .unexpectedIssuer("Ana"),
                .notAnAuthority("Ana"), .unknownCriticalExtension(.data, of: "Ana"),
                .missingExtension([.data], of: "Ana"), .missingPurpose(.data, of: "Ana"),
                .notYetValid("Ana", from: date), .expired("Ana", on: date),
            ] as [SignatureRefusal]
        )
        add([.key(.encrypted), .certificate(.noCertificateInText)] as [IssuingFailure])
        add([.noAddress("no such host"), .tookTooLong] as [NameResolutionFailure])
        return all
    }
}
