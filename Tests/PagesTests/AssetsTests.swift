import Foundation
import Mustache
import TestSupport
import Testing

@testable import Pages

struct AssetsTests {
    private struct UnknownPage: Page {
        let chrome = ExamplePages().chrome
    }

    private func write(_ text: String, to path: String, in folder: URL) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true,
        )
        try Data(text.utf8).write(to: file)
    }

    @Test func `the binary carries every template and public file`() throws {
        let assets = try Assets()
        #expect(Set(assets.publicFiles.keys).isSuperset(of: ["ota.css", "ota.js", "icon.svg"]))
        #expect(assets.publicFiles.values.allSatisfy { !$0.isEmpty })
    }

    @Test(arguments: ["brand", "our brand", "100%25 brand", "märke 🦊"])
    func `one file of the operator's replaces one of ours`(name: String) async throws {
        try await withTemporaryFolder { root in
            let folder = root.appending(path: name)
            try write(
                "{{<Layout}}{{$body}}Ours: {{title}}{{/body}}{{/Layout}}",
                to: "templates/MessagePage.mustache",
                in: folder,
            )
            try write("body{}", to: "public/ota.css", in: folder)
            try write("logo", to: "public/logo.svg", in: folder)
            try write("no", to: "elsewhere/x", in: folder)
            let assets = try Assets(override: folder)
            let renderer = try PageRenderer(assets: assets)
            let message = try renderer.html(ExamplePages(word: { _ in "<b>" }).message())
            #expect(message.contains("Ours: &lt;b&gt;"))
            #expect(message.contains("<!doctype html>"), "the layout is still ours")
            #expect(try renderer.html(ExamplePages().install()).contains("id=\"install\""))
            #expect(assets.publicFiles["ota.css"] == Array("body{}".utf8))
            #expect(assets.publicFiles["logo.svg"] == Array("logo".utf8))
            #expect(assets.publicFiles["ota.js"] == (try Assets().publicFiles["ota.js"]))
        }
    }

    @Test func `files that are symbolic links count, as in mounted configuration`() async throws {
        try await withTemporaryFolder { folder in
            try write("body{}", to: "..data/ota.css", in: folder)
            try FileManager.default.createDirectory(
                at: folder.appending(path: "public"),
                withIntermediateDirectories: true,
            )
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "public/ota.css").path(percentEncoded: false),
                withDestinationPath: "../..data/ota.css",
            )
            #expect(try Assets(override: folder).publicFiles["ota.css"] == Array("body{}".utf8))
        }
    }

    @Test func `a folder that is not there is an error`() {
        #expect(throws: (any Error).self) { try Assets(override: URL(filePath: "/absent/brand")) }
    }

    @Test func `a folder with nothing to replace is an error, and not without effect`() async throws
    {
        try await withTemporaryFolder { folder in
            try write("x", to: "InstallPage.mustache", in: folder)
            #expect(throws: NoAssets.self) { try Assets(override: folder) }
        }
    }

    @Test(arguments: ["{{#a}}", "{{a", "{{/a}}", "{{<Layout}}"])
    func `a template that does not parse is named`(text: String) async throws {
        try await withTemporaryFolder { folder in
            try write(text, to: "templates/StartPage.mustache", in: folder)
            let assets = try Assets(override: folder)
            let failure = try #require(throws: BrokenTemplate.self) {
                try PageRenderer(assets: assets)
            }
            #expect("\(failure)".hasPrefix("template StartPage.mustache cannot be used: "))
        }
    }

    @Test func `an own catalogue replaces single sentences of ours`() async throws {
        try await withTemporaryFolder { folder in
            try write(#"{"start.title": "Unsere Apps"}"#, to: "languages/de.json", in: folder)
            let catalogues = try Catalogues(assets: Assets(override: folder))
            let words = catalogues[try #require(Language(tag: "de"))]
            #expect(words.text("start.title") == "Unsere Apps")
            #expect(words.text("start.none.title") == "Keine Apps verfügbar")
            #expect(catalogues[.english].text("start.title") == "Apps")
        }
    }

    @Test(arguments: ["[]", #"{"start.title": 1}"#, "{"])
    func `an own catalogue that cannot be read is named before anything is served`(
        text: String
    ) async throws {
        try await withTemporaryFolder { folder in
            try write(text, to: "languages/fr.json", in: folder)
            let assets = try Assets(override: folder)
            let failure = try #require(throws: BrokenCatalogue.self) {
                try Catalogues(assets: assets)
            }
            #expect("\(failure)".hasPrefix("the catalogue languages/fr.json cannot be used: "))
        }
    }

    @Test(arguments: Language.all)
    func `every template of ours parses, with all that it includes`(language: Language) throws {
        let assets = try Assets()
        let templates = ParsedTemplates(
            assets.templates(),
            in: language,
            of: try Catalogues(assets: assets),
        )
        try templates.parseAll()
        for name in assets.templates().keys {
            #expect(try templates.library(for: name).getTemplate(named: name) != nil)
        }
    }

    @Test func `a page is the same by templates that it needed and by all`() throws {
        for page in try [ExamplePages().install(), ExamplePages(word: { _ in "b" }).install()] {
            let (needed, all) = (try Self.templates(), try Self.templates())
            try all.parseAll()
            let fields = PageFields(of: page)
            let html = try needed.library(for: "InstallPage")
                .render(fields, withTemplate: "InstallPage")
            #expect(html?.contains("<!doctype html>") == true, "the layout is included")
            #expect(
                try all.library(for: "InstallPage").render(fields, withTemplate: "InstallPage")
                    == html
            )
        }
    }

    private static func templates() throws -> ParsedTemplates {
        let assets = try Assets()
        let catalogues = try Catalogues(assets: assets)
        return ParsedTemplates(assets.templates(), in: .english, of: catalogues)
    }

    @Test func `a page without a template is named`() throws {
        let renderer = try PageRenderer(assets: Assets())
        let failure = #expect(throws: BrokenTemplate.self) { try renderer.html(UnknownPage()) }
        #expect(
            failure?.description
                == "template UnknownPage.mustache cannot be used: there is no such template"
        )
    }
}
