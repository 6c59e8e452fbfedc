import Bytes
import Inspection
import Sample
import Testing
import Zip

/// Files that Swift's string methods do not find below the app, but a phone does.
@Suite struct HiddenFileTests {
    /// Characters that merge with the slash before them, and one that merges with the dot after it.
    static let marks = ["\u{301}", "\u{200D}", "\u{FE0F}"]

    private static func reasons(
        _ change: @escaping @Sendable (inout SampleTree) throws -> Void
    ) throws
        -> [String]
    {
        do {
            return try GoodBuild.app().nesting(.widget("Widget"), .framework("Kit"))
                .afterSigning(change).report().findings
                .filter(\.blocksEveryDevice).map(\.id)
        } catch let refusal as ZipRefusal {
            return [refusal.rule.rawValue]
        } catch let refusal as UnreadableArchive {
            return refusal.findings.map(\.id)
        }
    }

    /// A copy of everything in one folder of the app, in another folder.
    private static func copy(
        _ folder: String,
        to copy: String,
        in tree: inout SampleTree,
        changing: ([UInt8]) -> [UInt8] = { $0 },
    ) throws {
        let files = tree.files.filter { RelativePath($0.path).isBelow(RelativePath(folder)) }
        #expect(!files.isEmpty)
        for file in files {
            guard case .bytes(let bytes) = file.content else { continue }
            let path = copy + file.path.dropFirst(folder.count)
            tree.addOutside(.file(path, changing(bytes), mode: file.mode))
        }
    }

    @Test(arguments: [""] + marks)
    func `a file that was added is found`(mark: String) throws {
        let reasons = try Self.reasons { $0.add(.file("\(mark)evil.txt", [1])) }
        #expect(reasons == [mark.isEmpty ? "seal.added" : "zip.unsafe-path"])
    }

    @Test(arguments: [""] + marks)
    func `a folder of extensions that was added is found`(mark: String) throws {
        let reasons = try Self.reasons { tree in
            try Self.copy(
                "Payload/Example.app/PlugIns/Widget.appex",
                to: "Payload/Example.app/\(mark)PlugIns/Evil.appex",
                in: &tree,
            )
        }
        #expect(mark.isEmpty ? reasons.contains("seal.added") : reasons == ["zip.unsafe-path"])
    }

    @Test(arguments: [""] + marks)
    func `a program with a flipped byte that was added is found`(mark: String) throws {
        let reasons = try Self.reasons { tree in
            try Self.copy(
                "Payload/Example.app/Frameworks/Kit.framework",
                to: "Payload/Example.app/\(mark)Frameworks/Evil.framework",
                in: &tree,
            ) { $0.enumerated().map { $0 == 5000 ? $1 ^ 1 : $1 } }
        }
        #expect(mark.isEmpty ? reasons.contains("seal.added") : reasons == ["zip.unsafe-path"])
    }

    @Test(arguments: ["Evil"] + marks.map { $0 + "Evil" } + ["Evil\u{600}"])
    func `a second app is found`(name: String) throws {
        let reasons = try Self.reasons { tree in
            try Self.copy("Payload/Example.app", to: "Payload/\(name).app", in: &tree)
        }
        #expect(reasons == [name == "Evil" ? "bundle.several-applications" : "zip.unsafe-path"])
    }

    /// Older Macs packed decomposed letters.
    @Test func `names with accents are sealed and found, whichever way they are written`() throws {
        let good = try GoodBuild.app()
            .resource(.text("men\u{FA}.txt", "a")).resource(.text("cafe\u{301}.txt", "b"))
        #expect(try good.report().findings.filter(\.blocksEveryDevice).isEmpty)
        let added = try GoodBuild.app().afterSigning { $0.add(.file("cafe\u{301}.txt", [1])) }
        #expect(try added.report().findings.filter(\.blocksEveryDevice).map(\.id) == ["seal.added"])
    }
}
