import Bytes
import Testing
import Zip

/// Names that programs which compare bytes read in another way than programs which compare characters.
struct DisguisedNameTests {
    private static func isRefused(_ name: String) -> Bool {
        do throws(ZipRefusal) {
            _ = try ZipArchive(reading: MemorySource(RawZip(RawEntry(name)).bytes()))
            return false
        } catch {
            return error.rule == .unsafePath
        }
    }

    /// Whether Swift's string methods find every slash and dot.
    private static func isPlain(_ name: String) -> Bool {
        ["/", "."].allSatisfy { (mark: Character) in
            name.count { $0 == mark } == name.utf8.count { $0 == mark.asciiValue }
        }
    }

    @Test
    func `for every scalar, bytes and characters agree on slashes and dots, or it is refused`() {
        var disagreeing = 0
        for value in UInt32(0x80)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let mark = String(scalar)
            guard "/\(mark)".count == 1 || "\(mark)/".count == 1 else { continue }
            disagreeing += 1
            for name in ["a/\(mark)b", "a\(mark)/b", "a\(mark).app", "a.\(mark)app"]
            where !Self.isPlain(name) {
                #expect(Self.isRefused(name), "U+\(String(value, radix: 16))")
            }
            // A mark at the very beginning, or a character at the very end, has no neighbour with which to
            // merge, but would have one once a folder is prepended.
            #expect(Self.isRefused("\(mark)a") || Self.isRefused("a\(mark)"))
        }
        #expect(disagreeing > 2000)
    }

    @Test(
        arguments: [
            "cafe\u{301}.txt", "Caf\u{E9}/men\u{FA}.png", "e\u{301}", "हिन्दी.lproj/क्ष.strings",
            "👩\u{200D}💻.png", "❤\u{FE0F}.png", "1\u{FE0F}\u{20E3}.png", "한글.txt", "ภาษาไทย.txt",
            "עִבְרִית.txt", "a b/c.d",
        ]
    )
    func `names as people write them are read`(name: String) throws {
        let archive = try ZipArchive(reading: MemorySource(RawZip(RawEntry(name)).bytes()))
        #expect(archive[RelativePath(name)]?.path == RelativePath(name))
    }

    @Test func `a name finds the file whose letters are taken apart, as on a phone`() throws {
        let archive = try ZipArchive(reading: MemorySource(RawZip(RawEntry("cafe\u{301}")).bytes()))
        #expect(archive["caf\u{E9}"]?.path == "cafe\u{301}")
        #expect(archive["CAF\u{E9}"] == nil)
    }
}
