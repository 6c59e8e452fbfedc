import Bytes
import Testing
import Zip

/// An archive that breaks one rule, with a description.
struct BrokenArchive: Sendable, CustomStringConvertible {
    let rule: ZipRule
    let description: String
    let bytes: [UInt8]
    var limits = ZipLimits.ipa

    init(_ rule: ZipRule, _ description: String, _ zip: RawZip, limits: ZipLimits = .ipa) {
        self.init(rule, description, bytes: zip.bytes(), limits: limits)
    }

    init(
        _ rule: ZipRule,
        _ description: String,
        bytes: [UInt8],
        limits: ZipLimits = .ipa,
    ) {
        self.rule = rule
        self.description = "\(rule.rawValue): \(description)"
        self.bytes = bytes
        self.limits = limits
    }

    static let all = structure + records + names + kinds + contents + sizes + links
}

struct ZipRuleTests {
    @Test(arguments: BrokenArchive.all)
    func `an archive that breaks a rule is refused by that rule`(archive: BrokenArchive) throws {
        let refusal = try #require(throws: ZipRefusal.self) {
            let zip = try ZipArchive(
                reading: MemorySource(archive.bytes),
                limits: archive.limits,
            )
            try zip.verify(threads: 1)
        }
        #expect(refusal.rule == archive.rule, "\(refusal)")
        #expect(!refusal.detail.isEmpty)
        #expect(refusal.place.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test
    func `every rule is broken by an archive of these tests`() {
        let broken = Set(BrokenArchive.all.map(\.rule))
        // I/O errors have a test of their own.
        #expect(Set(ZipRule.allCases).subtracting(broken) == [.unreadable])
    }

    @Test(arguments: ZipRule.allCases)
    func `every rule has a name and a way to fix it`(rule: ZipRule) {
        #expect(rule.rawValue.hasPrefix("zip."))
        #expect(rule.fix.count > 20)
        #expect(rule.fix.hasSuffix("."))
    }

    @Test(arguments: [
        RawZip(RawEntry("a", "1"), RawEntry("b", "2")),
        RawZip(RawEntry("P/"), RawEntry("P/a", "1"), RawEntry("P/b/")),
        RawZip(RawEntry("a", "1").changing { $0.local.extra = [0, 0, 0] }),
        RawZip(
            RawEntry("a", "1").changing { $0.local.extra = field(0xD935, [4, 0, 0]) + [0xFF] }
        ),
        RawZip(RawEntry("a", "1").changing { $0.local.extra = [1, 2, 0xFF, 0xFF, 0] }),
        RawZip(RawEntry("a", "1").changing { $0.central.extra = field(0x5855, [1, 2, 3]) }),
        RawZip(RawEntry("a", deflated: deflateBlock("hi"), size: 2, of: "hi")),
        RawZip(RawEntry("a", deflated: [], size: 0, of: "")),
        RawZip(RawEntry("é", "1").changing { $0.both { $0.flags = 0 } }),
        RawZip(RawEntry("a", "1").changing { $0.host = 0 }),
        RawZip(RawEntry("a", "1").changing { $0.mode = 0o010600 }),
    ])
    func `what writers do in good faith is read`(zip: RawZip) throws {
        let archive = try ZipArchive(reading: MemorySource(zip.bytes()))
        try archive.verify(threads: 1)
        #expect(archive.entries.count == zip.entries.count)
    }

    @Test
    func `a comment that holds no second end is part of the archive`() throws {
        var zip = RawZip(RawEntry("a", "1"))
        zip.comment = Array("made by a build".utf8)
        #expect(try ZipArchive(reading: MemorySource(zip.bytes())).entries.count == 1)
    }

    @Test
    func `an archive with nothing in it is an archive`() throws {
        #expect(try ZipArchive(reading: MemorySource(RawZip().bytes())).entries.isEmpty)
    }

    @Test
    func `a failing medium is not the archive's fault`() throws {
        let refusal = try #require(throws: ZipRefusal.self) {
            try ZipArchive(reading: FailingSource())
        }
        #expect(refusal.rule == .unreadable)
    }

    @Test
    func `control characters of a name never reach the terminal`() throws {
        let name = "a\u{1B}[2J\n" + String(repeating: "\u{202E}x", count: 300)
        let refusal = try #require(throws: ZipRefusal.self) {
            try ZipArchive(reading: MemorySource(RawZip(RawEntry(name)).bytes()))
        }
        #expect(refusal.place.hasPrefix("a\\u{1B}[2J\\u{A}\\u{202E}x"))
        #expect(refusal.place.count <= 200)
    }
}

private struct FailingSource: ByteSource {
    let count = 1000

    func read(
        at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer,
    ) throws(SourceFailure) -> Int {
        throw SourceFailure(offset: offset, reason: "input/output error")
    }
}
