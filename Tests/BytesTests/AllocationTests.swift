import Bytes
import Foundation
import Testing

/// Everywhere in the package, a size from input is compared with a limit before memory is allocated.
struct AllocationTests {
    /// Files that allocate without a `BoundedCount`, with the reasons.
    ///
    /// "Its own" numbers are chosen by the program: windows, sizes of icons and of digests.
    private static let exempt = [
        "Addresses/InternetAddress.swift": "at most 16",
        "AdminSite/Overview/AdminOverview.swift": "its own",
        "Bytes/BoundedCount.swift": "the one way to memory",
        "Bytes/Hex.swift": "text that is in memory",
        "Bytes/RelativePath.swift": "two paths that are in memory",
        "CodeSignature/Pattern/PatternProgram.swift": "steps that are in memory",
        "CodeSignature/Survey/SignatureSurvey.swift": "entries of a seal that are in memory",
        "Cryptography/CalendarTime.swift": "its own",
        "Cryptography/DigestAlgorithm.swift": "its own",
        "Cryptography/DigestHasher.swift": "its own",
        "Cryptography/MessageAuthenticator.swift": "at most a block",
        "Cryptography/OpenSSL.swift": "the size of an object in memory, said by OpenSSL",
        "Cryptography/RawSignature.swift": "the size of a signature",
        "AppleDeveloper/Requests/ProfileName.swift": "at most 6",
        "Cryptography/Base64URL.swift": "at most 3",
        "Cryptography/PrivateKey.swift": "the size of a signature, said by OpenSSL",
        "Cryptography/SealingKey.swift": "its own, and bytes that are in memory",
        "Cryptography/Secrets.swift": "its own",
        "Enrolment/InvitationCode.swift": "its own",
        "HTTPServing/Connections/BodyWindow.swift": "its own",
        "HTTPServing/Files/ServedFile.swift": "its own",
        "HTTPServing/Forms/FormFields.swift": "text that is in memory",
        "HTTPServing/Requests/RequestHeadScanner.swift": "its own",
        "Images/QRCode+Raster.swift": "its own",
        "Images/QRMatrix.swift": "its own",
        "Images/Raster+Placeholder.swift": "its own",
        "Images/Raster+Scaling.swift": "its own, and the width of a picture in memory",
        "Images/Raster+WritingPNG.swift": "a picture that is in memory",
        "Images/ReedSolomon.swift": "its own",
        "Images/StrokeField.swift": "its own",
        "Images/Zlib.swift": "bytes that are in memory",
        "MirrorBuilds/Logs/Mask.swift": "text that is in memory",
        "Mirrors/Storage/OTAStore+Mirrors.swift": "its own",
        "Notices/Expiry/ExpiryTimeline.swift": "items that are in memory",
        "OTACommands/Builds/EntitlementColumns.swift": "text that is in memory",
        "OTACommands/Builds/InspectResult.swift": "text that is in memory",
        "OTACommands/Output/JSONText.swift": "at most 4",
        "OTACommands/Output/ProgressBar.swift": "its own",
        "OTACommands/Output/Table.swift": "text that is in memory",
        "ObjectStore/ObjectKeys.swift": "at most 16",
        "PropertyLists/Base64Digits.swift": "text that is in memory",
        "PropertyLists/BinaryPropertyListReader.swift": "references that are in memory",
        "PropertyLists/CivilTime.swift": "its own",
        "S3/RequestSigner.swift": "at most 4",
        "Sample/Bundle/SampleFile.swift": "its own",
        "Sample/MachO/MachOBuilder+LoadCommands.swift": "its own",
        "Sample/Noise.swift": "its own",
        "Sample/Signature/CodeSigner.swift": "its own",
        "Signing/Program/CodeDirectoryBuilder.swift": "the size of a digest",
        "SiteServices/Forms/GatheredBody.swift": "taken from the budget of all bodies first",
        "Store/DirectoryBackend+Journals.swift": "at most a megabyte",
        "Store/OTAStore+Installs.swift": "text that is in memory",
        "Store/Tar.swift": "at most a block",
        "Versions/Version.swift": "at most 3",
        "Zip/Deflater.swift": "its own",
        "Zip/Inflater.swift": "its own",
        "Zip/NameIndex.swift": "twice the names that are in memory",
        "Zip/ZipRewriter.swift": "a window of a fixed size",
    ]

    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources")

    /// A literal number of elements, and a bounded count, are harmless.
    private static func takesMemory(_ line: Substring) -> Bool {
        // Most lines have none of these words, and searching for them is a hundred times faster.
        let words = ["apacity", "repeating:", "Data(count:", "allocate("]
        guard words.contains(where: { line.containsBytes(of: $0) }) else { return false }
        let code = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
        let calls = [
            /reserveCapacity\(([^)]*)/, /unsafeUninitializedCapacity: ([^)]*)/,
            /\(repeating: .*, count: ([^)]*)/, /Data\(count: ([^)]*)/, /minimumCapacity: ([^)]*)/,
            /[^f]allocate\((?:capacity|byteCount): ([^),]*)/,
        ]
        return calls.contains { call in
            code.matches(of: call).contains { Int($0.1.replacing("_", with: "")) == nil }
        }
    }

    @Test func `no number reaches memory that was not compared with a limit`() throws {
        let root = Self.sources.path()
        let files = try #require(FileManager.default.subpaths(atPath: root))
            .filter { $0.hasSuffix(".swift") }
        #expect(files.count > 10)
        for file in files {
            let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
            let lines = text.split(separator: "\n").filter(Self.takesMemory)
            if Self.exempt[file] == nil {
                #expect(lines.isEmpty, "\(file) takes memory without a BoundedCount")
            } else {
                #expect(!lines.isEmpty, "\(file) need not be exempt")
            }
        }
    }
}
