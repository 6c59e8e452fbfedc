import Foundation
import TestSupport
import Testing
import Versions

/// Settings from `.xcconfig` files.
struct ConfigFileTests {
    /// The value of a setting in a Release build with a single file.
    private func value(
        of name: String,
        in text: String,
        configuration: String = "Release",
    ) async throws -> String? {
        try await withSources(["App.xcconfig": text]) { tree in
            let assignments = try ConfigFile.assignments(of: "App.xcconfig", in: tree)
            let context = SettingContext(configuration: configuration)
            return try BuildSettings(layers: [assignments], context: context).value(of: name)?.text
        }
    }

    @Test(arguments: [
        ("A = 1", "1"), ("A=1", "1"), ("A = 1;", "1"), ("  A\t=\t1 // one", "1"),
        ("A = 1 2 ", "1 2"),
        ("A =", ""), ("// A = 1", nil), ("A = https:/$()/example.com", "https://example.com"),
        ("A = https://example.com", "https:"), ("A = https:${}//x", "https:"),
        ("A = 1\nA = 2", "2"), ("A = 1\nA = $(inherited)2", "12"), ("A = $(inherited)", ""),
        ("A = $(B).$(C)\nB = b\nC = c", "b.c"), ("A = ${B}\nB = b", "b"),
        ("A = $(B_$(C))\nC = X\nB_X = found", "found"), ("A = $(B:default=2)", "2"),
        ("B = One Two!\nA = $(B:rfc1034identifier)", "One-Two-"),
        ("A = $(B:lower)\nB = ABC", "abc"),
        ("A[sdk=iphoneos*] = phone\nA[sdk=macosx*] = mac", "phone"),
        ("A = 1\nA[config=Debug] = 2", "1"), ("A = 1\nA[config=Rel*] = 2", "2"),
        ("A[sdk=iphoneos*][arch=arm64] = both", "both"), ("A[sdk=iphoneos*,arch=x86_64] = n", nil),
        ("A = 1 \\\n  2", "1 2"), ("A = 1 \\", "1"), ("A = 1 \\\n\\\n 2 \\\n\nB = 3", "1 2"),
        ("A = $5", "$5"), ("A = $(CONFIGURATION)", "Release"),
        ("\u{FEFF}A = 1\r\nB = 2\r\n", "1"),
    ])
    func `a setting has the value that Xcode gives it`(
        text: String,
        expected: String?,
    ) async throws {
        #expect(try await value(of: "A", in: text) == expected)
    }

    @Test func `an undefined reference is said`() async throws {
        try await withSources(["a.xcconfig": "A = $(PREFIX).app\nB = $(inherited)"]) { tree in
            let assignments = try ConfigFile.assignments(of: "a.xcconfig", in: tree)
            let context = SettingContext(configuration: "Debug")
            let settings = BuildSettings(layers: [assignments], context: context)
            let value = try #require(try settings.value(of: "A"))
            #expect(value.undefined == ["PREFIX"])
            #expect(value.origin == "a.xcconfig:1")
            #expect(try settings.value(of: "B")?.undefined == [])
        }
    }

    @Test(arguments: [
        ("A = $(B)\nB = $(A)", "project.circular"), ("A $(x)", "project.syntax"),
        ("1A = 2", "project.syntax"), ("A[sdk=x = 1", "project.syntax"),
        ("A[] = 1", "project.syntax"),
        ("#import \"x\"", "project.syntax"), ("#include x", "project.syntax"),
        ("A = $(B:standardizepath)\nB = x", "project.unknown-operator"),
        ("#include \"App.xcconfig\"", "project.circular"),
        ("#include \"absent.xcconfig\"", "project.missing"),
        ("#include \"../outside.xcconfig\"", "project.outside"),
        ("#include? \"../../etc/passwd\"", "project.outside"),
        ("#include \"/etc/passwd\"", "project.outside"),
        ("#include \"<DEVELOPER_DIR>/x.xcconfig\"", "project.outside"),
        ("#include \"link.xcconfig\"", "project.outside"),
        (
            "A = $(B)$(B)\nB = $(C)$(C)\nC = $(D)$(D)\nD = $(E)$(E)\nE = "
                + String(repeating: "x", count: 4000), "project.too-large",
        ),
    ])
    func `what cannot be told says why`(text: String, id: String) async throws {
        await #expect {
            try await withSources(["App.xcconfig": text]) { tree in
                let assignments = try ConfigFile.assignments(of: "App.xcconfig", in: tree)
                let context = SettingContext(configuration: "Release")
                _ = try BuildSettings(layers: [assignments], context: context).value(of: "A")
            }
        } throws: { error in
            let flaw = error as? SettingsFlaw
            return flaw?.id == id && flaw?.fix.isEmpty == false
        }
    }

    @Test func `settings that double forty times end at once`() async throws {
        let text = (0..<40).map { "A\($0) = $(A\($0 + 1))$(A\($0 + 1))" }.joined(separator: "\n")
        await #expect(throws: SettingsFlaw.self) {
            try await value(of: "A0", in: text + "\nA40 =")
        }
    }

    @Test func `an include counts where it stands, and an absent one may be optional`() async throws
    {
        let files = [
            "Config/App.xcconfig": """
            #include? "Secrets.xcconfig"
            A = 1
            #include "Shared/Base.xcconfig" // for all
            """,
            "Config/Shared/Base.xcconfig": "A = 2\n#include \"../More.xcconfig\"",
            "Config/More.xcconfig": "B = $(A)3",
        ]
        try await withSources(files) { tree in
            let assignments = try ConfigFile.assignments(of: "Config/App.xcconfig", in: tree)
            let context = SettingContext(configuration: "Release")
            let settings = BuildSettings(layers: [assignments], context: context)
            #expect(try settings.value(of: "A")?.text == "2")
            #expect(try settings.value(of: "B")?.text == "23")
            #expect(try settings.value(of: "A")?.origin == "Config/Shared/Base.xcconfig:1")
        }
    }

    @Test func `no damage to a file does more than refuse it`() async throws {
        let text = """
            #include? "x.xcconfig"
            A[sdk=iphoneos*] = $(B:default=$(C)) ${D} \\
              $() // comment
            B = "quoted"; C = 1
            """
        let seed: UInt64 = 7
        for damaged in SeededDamage.flips(of: Array(text.utf8), count: 500, seed: seed) {
            let text = String(decoding: damaged, as: UTF8.self)
            guard let file = try? ConfigFile(text, path: "a") else { continue }
            let assignments = file.statements.compactMap { statement -> SettingAssignment? in
                guard case .assignment(let assignment) = statement else { return nil }
                return assignment
            }
            let context = SettingContext(configuration: "Release")
            let value = try? BuildSettings(layers: [assignments], context: context).value(of: "A")
            #expect((value?.text.utf8.count ?? 0) < 1000, "seed \(seed)")
        }
    }
}

/// Runs `body` with a folder that has these files and a link that leads out of it, and a file next to it.
func withSources<Result>(
    _ files: [String: String],
    _ body: (SourceTree) throws -> Result,
) async throws -> Result {
    try await withTemporaryFolder { folder in
        let root = folder.appending(path: "repository")
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true,
            )
            try Data(text.utf8).write(to: file)
        }
        let outside = folder.appending(path: "outside.xcconfig")
        try Data("A = stolen".utf8).write(to: outside)
        try FileManager.default.createSymbolicLink(
            at: root.appending(path: "link.xcconfig"),
            withDestinationURL: outside,
        )
        return try body(SourceTree(root: root.path()))
    }
}
