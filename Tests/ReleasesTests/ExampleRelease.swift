import Bundles
import Cryptography
import Foundation
import Identifiers
import Inspection
import Releases
import Testing

/// A release with fixed fields, except for those that a test changes.
struct ExampleRelease {
    static let now = Date(timeIntervalSince1970: 1_795_000_000)

    var name = "Browsey"
    var version = "2.4.0"
    var build = "318"
    var size = 24_812_331
    var notes = ""

    func release() throws -> Release {
        let identifier = try #require(BundleIdentifier("com.vforsh.browsey"))
        let digest = SHA256Digest(of: Array("archive".utf8))
        return Release(
            report: try report(),
            identity: Release.Identity(
                bundleIdentifier: identifier,
                name: name,
                version: version,
                build: build,
                families: [.phone, .pad],
            ),
            artifact: Release.Artifact(
                sha256: digest,
                size: size,
                chunks: Release.ChunkDigests(
                    size: 10 << 20,
                    digests: ["one", "two", "three"].map { SHA256Digest(of: Array($0.utf8)) },
                ),
                icons: Release.Icons(
                    small: SHA256Digest(of: Array("small".utf8)),
                    large: SHA256Digest(of: Array("large".utf8)),
                ),
                report: SHA256Digest(of: Array("report".utf8)),
            ),
            publication: Release.Publication(
                date: Self.now,
                publisher: "ci",
                channel: .stable,
                notes: notes,
                tag: "v2.4.0",
                commit: "0123456789abcdef0123456789abcdef01234567",
            ),
        )
    }

    func report() throws -> InspectionReport {
        InspectionReport(
            identity: AppIdentity(
                bundleIdentifier: BundleIdentifier("com.vforsh.browsey"),
                name: name,
                version: version,
                build: build,
                minimumOS: "16.0",
                families: ["iphone", "ipad"],
                size: size,
                sha256: SHA256Digest(of: Array("archive".utf8)),
                path: "Payload/Browsey.app",
            ),
            profile: nil,
            nested: [],
            findings: [],
            inspected: Self.now,
            installsUntil: Self.now + 143 * 86_400,
        )
    }
}

/// JSON as the store writes it.
enum StoredJSON {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }

    static func value<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: Data(text.utf8))
    }
}
