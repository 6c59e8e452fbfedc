package import Foundation

/// Real IPAs, profiles, certificates and hostile archives, if this machine has them.
///
/// They are in the folder `OTA_FIXTURES`; by default in `../shared/fixtures` next to the checkout.
package enum Fixtures {
    package static let root: URL = {
        if let named = ProcessInfo.processInfo.environment["OTA_FIXTURES"] {
            return URL(filePath: named, directoryHint: .isDirectory)
        }
        return URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "shared/fixtures")
    }()

    /// Whether the real fixtures are available; tests that need them are skipped otherwise.
    package static let arePresent = FileManager.default.fileExists(
        atPath: root.appending(path: "MANIFEST.tsv").path()
    )

    /// A line of `MANIFEST.tsv`.
    package struct Item: Sendable, CustomStringConvertible {
        package let path: String
        package let kind: String
        package let facts: String

        package var url: URL { Fixtures.root.appending(path: path) }
        package var description: String { path }

        package func bytes() throws -> [UInt8] { Array(try Data(contentsOf: url)) }
    }

    /// The items of a kind (`ipa`, `profile`, `cert`, `zip-hostile` …); empty without fixtures.
    package static func items(ofKind kind: String) -> [Item] {
        all.filter { $0.kind == kind }
    }

    package static let all: [Item] = {
        let manifest = root.appending(path: "MANIFEST.tsv")
        guard let text = try? String(contentsOf: manifest, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count >= 9 else { return nil }
            return Item(
                path: String(columns[0]),
                kind: String(columns[7]),
                facts: String(columns[8]),
            )
        }
    }()
}
