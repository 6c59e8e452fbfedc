import API
import Foundation
import OTAServer
import Pages
import TestSupport
import Testing

/// `public/openapi.yaml` describes the API correctly.
struct OpenAPITests {
    @Test func `the document has every address of the code, and no other`() throws {
        let bytes = try #require(try Assets().publicFiles["openapi.yaml"])
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(Self.addresses(in: text) == APIRoutes.addresses)
    }

    @Test func `the document is served`() async throws {
        try await TestSite.run { site in
            let answer = try await WireClient.get(site, "/public/openapi.yaml")
            #expect(answer.status == 200)
            #expect(answer.fields["content-type"] == "application/yaml")
        }
    }

    /// Tries every operation with generated requests, valid and invalid, and compares the responses with the
    /// document.
    @Test(
        .enabled(if: Schemathesis.program != nil, "schemathesis is missing: run scripts/tools")
    )
    func `what the API answers is what the document says`() async throws {
        try await TestSite.run { site in
            let run = try await Schemathesis.run(on: site, withChecks: Schemathesis.checks)
            #expect(run.status == 0, "\(run.output.suffix(12_000))\n\(run.errors.suffix(2_000))")
            let count = APIRoutes.addresses.count
            #expect(run.output.contains("Selected: \(count)/\(count)"), "\(run.output)")
        }
    }

    @Test(
        .enabled(if: Schemathesis.program != nil, "schemathesis is missing: run scripts/tools")
    )
    func `a document that says something else is found out`() async throws {
        try await TestSite.run { site in
            let run = try await Schemathesis.run(
                on: site,
                withChecks: Schemathesis.checks,
                only: "/api/v1",
            ) { $0.replacing("version: { type: string }", with: "version: { type: integer }") }
            #expect(run.status == 1)
            #expect(run.output.contains("Response violates schema"), "\(run.output)")
        }
    }

    /// Lines of the form `  /path:` and `    method:` below `paths:`.
    private static func addresses(in text: String) -> [String] {
        var found: [String] = []
        var path = ""
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
            if !line.hasPrefix(" ") { isInside = line == "paths:" }
            guard isInside, line.hasSuffix(":") else { continue }
            let indent = line.prefix { $0 == " " }.count
            let name = line.dropFirst(indent).dropLast()
            if indent == 2 { path = String(name) }
            if indent == 4,
                ["get", "head", "options", "post", "put", "patch", "delete"].contains(name)
            {
                found.append("\(name.uppercased()) \(path)")
            }
        }
        return found.sorted()
    }
}
