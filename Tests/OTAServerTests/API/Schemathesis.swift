import Foundation
import TestSupport

/// Generates requests from the API's description; `scripts/tools` installs it.
enum Schemathesis {
    static let checks = [
        "not_a_server_error", "status_code_conformance", "content_type_conformance",
        "response_schema_conformance", "response_headers_conformance",
    ]

    static let program: Program? = {
        let path = URL(filePath: #filePath)
            .appending(path: "../../../../.build/tools/bin/schemathesis").standardizedFileURL.path()
        return FileManager.default.isExecutableFile(atPath: path) ? Program(path: path) : nil
    }()

    /// Tests a site as an admin, with the same requests every time.
    static func run(
        on site: TestSite,
        withChecks checks: [String],
        only path: String? = nil,
        describing change: (String) -> String = { $0 },
    ) async throws -> Program.Outcome {
        let admin = try APIClient.holding("admin", on: site)
        let description = try await WireClient.get(site, "/public/openapi.yaml").body
        let schema = site.folder.appending(path: "openapi.yaml")
        try Data(change(String(decoding: description, as: UTF8.self)).utf8).write(to: schema)
        let authority = site.folder.appending(path: "authority.pem")
        try await WireClient.authorityPEM(of: site).write(
            to: authority,
            atomically: false,
            encoding: .utf8,
        )
        // Unknown methods get status 501 (RFC 9110, section 9.1), but the checks allow no 5xx.
        let settings = site.folder.appending(path: "schemathesis.toml")
        try Data(
            """
            [phases.coverage]
            unexpected-methods = ["DELETE", "PUT", "POST", "PATCH", "OPTIONS", "TRACE"]

            """.utf8
        ).write(to: settings)
        // Pieces of an upload and archives are bytes, with media types that schemathesis does not know.
        try Data(
            """
            import schemathesis
            from hypothesis import strategies
            for kind in ["application/partial-upload", "application/zip"]:
                schemathesis.openapi.media_type(kind, strategies.binary())
                schemathesis.serializer(kind)(lambda _, value: {"data": value})

            """.utf8
        ).write(to: site.folder.appending(path: "media.py"))
        return try await (program ?? Program(path: "schemathesis")).run(
            [
                "--config-file", settings.path(),
                "run", schema.path(), "--url", "https://localhost:\(site.port)",
                "--tls-verify", authority.path(),
                "--header", "Authorization: Bearer \(admin.secret ?? "")",
                "--checks", checks.joined(separator: ","),
                "--phases", "examples,coverage,fuzzing",
                "--max-examples", "\(TestDepth.samples(4, long: 300))", "--seed", "1",
                "--no-shrink", "--continue-on-failure",
                "--request-timeout", "20", "--suppress-health-check", "all",
                "--warnings", "off",
            ] + (path.map { ["--include-path", $0] } ?? []),
            environment: [
                "HYPOTHESIS_STORAGE_DIRECTORY": site.folder.path(),
                "SCHEMATHESIS_HOOKS": "media",
            ],
            in: site.folder,
        )
    }
}
