import Bytes
import Foundation
import TestSupport
import Testing
import Zip

/// Archives from other projects' tests; skipped if they are not available.
@Suite(.enabled(if: Fixtures.arePresent, "OTA_FIXTURES names no folder of fixtures"))
struct ZipFixturesTests {
    /// Archives that other readers accept and this one refuses, each for one reason: names that are not
    /// UTF-8, and records that contradict each other where most readers do not look.
    private static let refused: [String: ZipRule] = [
        "not-an-ipa.ipa": .notAnArchive,
        "testfile-cp437.zip": .ambiguousName,
        "utf-8-standardization-input.zip": .ambiguousName,
        "chinese.zip": .ambiguousName,
        "non_utf8.zip": .ambiguousName,
        "windows-7zip.zip": .ambiguousName,
        "incons-ef-local-utf8name-ascii.zip": .ambiguousName,
        "incons-ef-central-size-wrong.zip": .malformedExtra,
        "incons-ef-local-dupe-utf8name.zip": .malformedExtra,
        "incons-ef-local-dupe-zip64-v1.zip": .malformedExtra,
        "incons-ef-local-dupe-zip64-v2.zip": .malformedExtra,
        "extra field length exceeds extra field buffer size.zip": .malformedExtra,
        "extended_timestamp_bad.zip": .malformedExtra,
        "incons-eocd64-gap.zip": .malformedDirectory,
        "incons-file-count-overflow.zip": .malformedDirectory,
        "invalid_cde_number_of_files_allocation_smaller_offset.zip": .malformedDirectory,
        "incons-gap-before-cd.zip": .gap,
        "incons-gap-before-local.zip": .gap,
        "incons-streamed.zip": .headerMismatch,
        "incons-streamed-2.zip": .headerMismatch,
    ]

    /// Odd but valid: data that compresses unusually well, a disk count of 0.
    private static let legalOddities: Set<String> = [
        "zip64-3mf.zip", "big-compression.zip", "everything.zip",
    ]

    @Test(arguments: Fixtures.items(ofKind: "zip-clean") + Fixtures.items(ofKind: "ipa"))
    func `a sound archive is read whole`(item: Fixtures.Item) throws {
        #expect(try Self.verdict(on: item)?.rule == Self.refused[item.url.lastPathComponent])
    }

    @Test(arguments: Fixtures.items(ofKind: "zip-odd"))
    func `an odd archive is read whole or refused by name`(item: Fixtures.Item) throws {
        let isLegal = Self.legalOddities.contains(item.url.lastPathComponent)
        #expect(try (Self.verdict(on: item) == nil) == isLegal)
    }

    @Test(arguments: Fixtures.items(ofKind: "zip-hostile"))
    func `a hostile archive is refused by name within two seconds`(item: Fixtures.Item) throws {
        let taken = try processorTime {
            let refusal = try #require(try Self.verdict(on: item))
            #expect(refusal.rule != .unreadable)
        }
        #expect(taken < .seconds(2))
    }

    private static func verdict(on item: Fixtures.Item) throws -> ZipRefusal? {
        let source = MemorySource(try item.bytes())
        do throws(ZipRefusal) {
            try ZipArchive(reading: source).verify(threads: 2)
            return nil
        } catch {
            return error
        }
    }
}
