import Bytes
import Cryptography
import Foundation
import MachOFormat
import PropertyLists
import TestSupport
import Testing
import Zip

/// Executables from Xcode 5 to 26, and files that were made to break readers.
@Suite(.enabled(if: Fixtures.arePresent, "the real fixtures are not on this machine"))
struct RealBinariesTests {
    /// A slice as the list of fixtures describes it: `arm64 ios sha256:0x20400:bad=0 cms=ok DER`.
    private struct Facts {
        let processor: String
        let platform: String
        let directories: [String]
        let hasDER: Bool

        init(_ text: Substring) {
            let words = text.split(separator: " ")
            processor = String(words[0])
            platform = String(words[1])
            directories = words[2].split(separator: "+").map {
                $0.split(separator: ":").prefix(2).joined(separator: ":")
            }
            hasDER = words.contains("DER")
        }

        /// In the order of the bundles, and of the slices in each.
        static func all(in text: String) -> [Facts] {
            text.split(separator: "[").dropFirst().compactMap { part in
                part.split(separator: "]").first.map(Facts.init)
            }
        }
    }

    /// The executables of the app and its extensions, the app's own first.
    static func executables(of item: Fixtures.Item) throws -> [(path: String, bytes: [UInt8])] {
        guard
            let archive = try? ZipArchive(
                reading: FileSource(path: item.url.path(percentEncoded: false))
            )
        else {
            return []
        }
        return try archive.entries.map(\.path).filter { $0.name == "Info.plist" }
            .sorted { $0.bytes.count < $1.bytes.count }
            .compactMap { path -> (String, [UInt8])? in
                guard let folder = path.parent,
                    ["app", "appex"].contains(folder.fileExtension),
                    let entry = archive[path],
                    let info = try? PropertyList(
                        reading: try archive.contents(of: entry, atMost: 1 << 20)
                    ),
                    let name = info["CFBundleExecutable"]?.string,
                    let executable = archive[folder / RelativePath(name)]
                else { return nil }
                return (
                    executable.path.text, try archive.contents(of: executable, atMost: 1 << 26),
                )
            }
    }

    @Test(arguments: Fixtures.items(ofKind: "ipa"))
    func `every slice of a real app is what the list says`(item: Fixtures.Item) throws {
        let facts = Facts.all(in: item.facts)
        let slices = try Self.executables(of: item).flatMap {
            try MachOFile(reading: $0.bytes).slices
        }
        #expect(slices.count == facts.count)
        for (slice, facts) in zip(slices, facts) {
            // The list does not distinguish armv7 from armv7s.
            #expect("\(slice.processor)".hasPrefix(facts.processor))
            let version = try #require(slice.buildVersions.first)
            #expect(version.platform == .iOS)
            #expect(version.isLegacy == (facts.platform == "ios(old)"))
            #expect(slice.encryption?.isEncrypted != true)
            #expect(slice.bytesAfterSignature == 0)
            let signature = try #require(try slice.signature())
            #expect(signature.faults == [])
            let directories = signature.directories.map { directory in
                "\(directory.hashType)".replacing("-", with: "").lowercased()
                    + ":0x\(String(directory.version, radix: 16))"
            }
            #expect(directories == facts.directories)
            #expect((signature.derEntitlements != nil) == facts.hasDER)
        }
    }

    @Test(arguments: Fixtures.items(ofKind: "ipa") + Fixtures.items(ofKind: "macho"))
    func `pages, slots, requirements and entitlements of real apps agree`(
        item: Fixtures.Item
    ) throws {
        let files =
            item.kind == "ipa"
            ? try Self.executables(of: item).map(\.bytes) : [try item.bytes()]
        for bytes in files {
            for slice in try MachOFile(reading: bytes).slices {
                let signature = try #require(try slice.signature())
                let code = Array(bytes[slice.range])
                for directory in signature.directories {
                    let algorithm: DigestAlgorithm =
                        directory.hashType == .sha1 ? .sha1 : .sha256
                    #expect(
                        Int(directory.codeLimit) + slice.range.lowerBound
                            == slice.signatureRange?.lowerBound
                    )
                    for page in 0..<directory.pageCount {
                        let start = page * 4096
                        let end = min(start + 4096, Int(directory.codeLimit))
                        let digest = algorithm.digest(of: Array(code[start..<end]))
                        #expect(directory.digest(ofPage: page).map { Array($0) } == digest)
                    }
                    for (number, slot) in [
                        2: .requirements, 5: .entitlements, 7: .derEntitlements,
                    ] as [Int: BlobSlot] {
                        let digest = signature.blob(in: slot).map {
                            algorithm.digest(of: Array($0))
                        }
                        #expect(directory.digest(ofSlot: number).map { Array($0) } == digest)
                    }
                }
                let blob = try #require(signature.blob(in: .requirements))
                let designated = try #require(try RequirementSet(reading: blob).designated)
                let identifier = try #require(signature.primary?.identifier)
                let text = "\(designated)"
                #expect(text.hasPrefix("identifier \"\(identifier)\" and "))
                #expect(
                    text.hasSuffix("certificate 1[field.1.2.840.113635.100.6.2.1] /* exists */")
                        || text.contains("certificate root = H\""),
                    "\(text)",
                )
                let xml = Array(try #require(signature.entitlements))
                if let content = signature.derEntitlements {
                    let entitlements = try DEREntitlements(reading: content)
                    // Xcode 12 sorted by the bytes of the whole entry.
                    #expect(entitlements.isSorted || entitlements.version == nil)
                    let list = PropertyList(.dictionary(entitlements.entries))
                    #expect(try PropertyList(reading: xml) == list)
                }
            }
        }
    }

    @Test(arguments: Fixtures.items(ofKind: "macho-hostile"))
    func `files that others made to break readers are read or refused`(
        item: Fixtures.Item
    ) throws {
        let field = Self.refusals[item.url.lastPathComponent]
        let bytes = try item.bytes()
        do throws(MalformedBytes) {
            let file = try MachOFile(reading: bytes)
            #expect(field == nil, "read \(file.slices.map(\.commands))")
        } catch {
            #expect(error.field == field)
        }
    }

    /// The reasons for refusing some of them; the others are odd, but unambiguous.
    private static let refusals = [
        "macho-invalid-fat-header": "slice count",
        "macho-invalid-fat_cputype": "processor type",
        "invalid-lcstr-offset.macho": "dynamic linker",
        "load-cmdsize-too-large.macho": "load command size",
        "load-cmdsize-too-small.macho": "maximum protection",
        "truncated-load-command-region.macho": "load commands",
        "truncated-load-commands.macho": "load command",
        "unaligned-cmdsize.macho": "load command size",
    ]
}
