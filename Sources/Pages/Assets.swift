package import Foundation
package import Problems

/// Templates, public files and the guide: those embedded in the binary, or an operator's replacements.
///
/// A file in the override folder replaces the embedded one of the same path, so teams restyle only what
/// they want to.
package struct Assets: Sendable {
    /// By path, such as `templates/InstallPage.mustache` or `public/ota.css`.
    private let files: [String: [UInt8]]
    /// Whether an operator's files are among them.
    let hasOwn: Bool

    /// - Parameter override: a folder that contains `templates/`, `public/`, `languages/` or
    ///   `docs/testers.md`.
    /// - Throws: ``NoAssets``, and an error if the folder or a file in it cannot be read.
    package init(override: URL? = nil) throws {
        var files: [String: [UInt8]] = [:]
        for asset in EmbeddedAssets.base64 {
            files[asset.path] = Data(base64Encoded: asset.base64).map(Array.init)
        }
        if let override {
            var isUsed = false
            for path in try FileManager.default.subpathsOfDirectory(
                atPath: override.path(percentEncoded: false)
            )
            where ["templates/", "public/", "docs/", "languages/"].contains(where: path.hasPrefix) {
                let url = override.appending(path: path).resolvingSymlinksInPath()
                let values = try url.resourceValues(forKeys: [.isRegularFileKey])
                guard values.isRegularFile == true else { continue }
                files[path] = Array(try Data(contentsOf: url))
                isUsed = true
            }
            guard isUsed else { throw NoAssets(folder: override.path(percentEncoded: false)) }
        }
        self.files = files
        hasOwn = override != nil
    }

    /// All public files by name, such as `ota.css`.
    package var publicFiles: [String: [UInt8]] {
        files.reduce(into: [:]) { found, file in
            guard file.key.hasPrefix("public/") else { return }
            found[String(file.key.dropFirst("public/".count))] = file.value
        }
    }

    /// Returns the guide for testers in Markdown; nil if it does not exist in the language.
    func guide(in language: Language) -> String? {
        let file = language == .english ? "docs/testers.md" : "docs/testers.\(language.tag).md"
        return files[file].map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the bytes of a file, such as `languages/de.json`; nil for none.
    package func bytes(of path: String) -> [UInt8]? { files[path] }

    /// Returns the embedded file, even if it was replaced.
    static func embedded(_ path: String) -> [UInt8]? {
        EmbeddedAssets.base64.first { $0.path == path }
            .flatMap { Data(base64Encoded: $0.base64) }.map(Array.init)
    }

    func templates() -> [String: String] {
        files.reduce(into: [:]) { found, file in
            guard file.key.hasPrefix("templates/"), file.key.hasSuffix(".mustache") else { return }
            let name = file.key.dropFirst("templates/".count).dropLast(".mustache".count)
            found[String(name)] = String(decoding: file.value, as: UTF8.self)
        }
    }
}

/// The assets folder of an operator contains no assets.
package struct NoAssets: ReportableError {
    package let folder: String

    package var description: String {
        "the folder has none of the files that --assets replaces"
    }
}

extension NoAssets {
    package var id: String { "assets.none" }
    package var kind: Problem.Kind { .invalid }
    package var place: String { folder }
    package var fix: String { "put your own below templates/, public/, languages/ or docs/ there" }
}
