import Foundation
import Inspection
import TestSupport
import Testing

/// `docs/causes.md` is generated from the catalogue, the rules and the tests that name them.
@Suite struct CausesPageTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `every cause is found by a rule, or the catalogue says why not`() {
        #expect(Cause.all.map(\.number) == Array(1...82))
        for cause in Cause.all {
            switch cause.knowledge {
            case .rules: #expect(!cause.rules.isEmpty, "\(cause.number) \(cause.title)")
            case .elsewhere, .unknowable: continue
            }
        }
    }

    @Test func `rules name causes that there are`() {
        for rule in Rule.all {
            #expect(rule.causes.allSatisfy(Cause.all.contains), "\(rule.id)")
        }
    }

    @Test func `every rule that finds a cause is named by a test`() throws {
        let untested = try Cause.all.flatMap(\.rules).map(\.id).filter {
            try Self.tests(of: $0).isEmpty
        }
        #expect(untested == [])
    }

    @Test func `every doubt names a rule that there is, and tests name it`() throws {
        for doubt in Doubt.all {
            guard let id = doubt.rule else {
                #expect(doubt.severity == nil, "\(doubt.build)")
                continue
            }
            #expect(Rule.named(id) != nil, "\(id)")
            #expect(try !Self.tests(of: id).isEmpty, "\(id)")
        }
    }

    @Test func `the page of causes is what the catalogue says`() throws {
        let page = Self.root.appending(path: "docs/causes.md")
        let text = try Self.text()
        if ProcessInfo.processInfo.environment["OTA_RECORD"] == "1" {
            try Data(text.utf8).write(to: page)
        }
        let written = try String(contentsOf: page, encoding: .utf8)
        #expect(written == text, "make it anew: OTA_RECORD=1 swift test --filter CausesPageTests")
    }

    private static func text() throws -> String {
        var text = """
            # Why a build does not install

            Every known cause that keeps a phone from installing or opening a build, the findings by which
            `ota` reports it before the tap, and the tests that break a good build in exactly that way.
            Codes are Apple's. This page is generated from `Sources/Inspection/Causes`, the rules and the
            tests; see [findings](findings.md) for what to do about each.

            | # | cause | Apple's code | the phone shows | found by | tested in |
            |---|---|---|---|---|---|

            """
        for cause in Cause.all {
            let rules = cause.rules
            let codes = cause.codes.map { "`\($0)`" }.joined(separator: " ")
            let phone = rules.lazy.compactMap(\.phone).first?.sentence ?? ""
            let found =
                switch cause.knowledge {
                case .rules: rules.map { "`\($0.id)`" }.joined(separator: " ")
                case .elsewhere(let place): place
                case .unknowable(let reason): "not knowable: \(reason)"
                }
            let names = try Set(rules.flatMap { try Self.tests(of: $0.id) }).sorted()
            text += "| \(cause.number) | \(cause.title) | \(codes) | \(phone) | \(found) "
            text += "| \(names.map { "`\($0)`" }.joined(separator: " ")) |\n"
        }
        text += """

            ## What is not certain

            For these builds, neither Apple's documents and source code nor other people's reports say for
            certain what a phone does. Nothing here blocks without a reason that you can read up; warnings
            say that they are unverified.

            | a build with | is | found by | because |
            |---|---|---|---|

            """
        for doubt in Doubt.all {
            let severity =
                switch doubt.severity {
                case .blocks: "blocked"
                case .warns: "warned of, unverified"
                case .notes: "noted"
                case nil: "not mentioned"
                }
            text += "| \(doubt.build) | \(severity) "
            text += "| \(doubt.rule.map { "`\($0)`" } ?? "") | \(doubt.reason) |\n"
        }
        return text
    }

    /// The names of the test files that have the identifier in a literal, or as a case of the enums whose raw
    /// values are identifiers.
    private static func tests(of id: String) throws -> Set<String> {
        let words = id.drop { $0 != "." }.dropFirst().split(separator: "-")
        let name =
            (words.first.map(String.init) ?? "") + words.dropFirst().map(\.capitalized).joined()
        let isArchives = id.hasPrefix("zip.") || id.hasPrefix("bundle.")
        let mentions = try mentions.get()
        return mentions.literals[id, default: []]
            .union(isArchives ? mentions.cases[name, default: []] : [])
    }

    private struct Mentions {
        /// Names of test files, by the literals in them.
        var literals: [String: Set<String>] = [:]
        /// Names of test files, by the names between a dot and a comma in them.
        var cases: [String: Set<String>] = [:]
    }

    private static let mentions = Result {
        let folder = root.appending(path: "Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var mentions = Mentions()
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift", file.lastPathComponent != "GoodBuild.swift" else {
                continue
            }
            let name = file.deletingPathExtension().lastPathComponent
            let text = try String(contentsOf: file, encoding: .utf8)
            for literal in text.components(separatedBy: "\"").dropFirst().dropLast() {
                mentions.literals[literal, default: []].insert(name)
            }
            for piece in text.components(separatedBy: ",").dropLast() {
                guard let dot = piece.utf8.lastIndex(of: UInt8(ascii: ".")) else { continue }
                let word = String(piece[piece.utf8.index(after: dot)...])
                mentions.cases[word, default: []].insert(name)
            }
        }
        return mentions
    }
}
