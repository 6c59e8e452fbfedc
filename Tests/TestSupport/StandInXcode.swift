package import Foundation

/// Replacements of `xcodebuild` and `xcodegen`: they check their arguments as the real programs do, and write
/// real archives of the sample apps; see `xcodebuild.py`.
package struct StandInXcode: Sendable {
    /// The programs' folder, for the beginning of `PATH`.
    package let bin: URL

    private struct Settings: Encodable {
        let ota: String
        let authority: String
        let schemes: [String: String]
        let signs: Bool
        let version: String
    }

    /// Writes the programs.
    ///
    /// - Parameters:
    ///   - folder: is created; has only the programs and their settings.
    ///   - ota: the program that makes the sample apps.
    ///   - authority: PEM file with the keys that sign them, as `ota sample --save-keys` writes it.
    ///   - schemes: the argument of `ota sample --app`, by the scheme that builds it.
    ///   - signs: whether this Mac has a certificate and profiles; without them only archives with
    ///     `CODE_SIGNING_ALLOWED=NO` succeed.
    ///   - version: output of `xcodebuild -version`.
    /// - Throws: an error if a file cannot be written, or there is no Python.
    package init(
        in folder: URL,
        ota: Program,
        authority: URL,
        schemes: [String: String],
        signs: Bool = false,
        version: String = "26.1",
    ) throws {
        guard let python = WebhookReceiver.python else { throw CocoaError(.featureUnsupported) }
        bin = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let settings = folder.appending(path: "xcode.json")
        let document = Settings(
            ota: ota.path,
            authority: authority.path(percentEncoded: false),
            schemes: schemes,
            signs: signs,
            version: version,
        )
        try JSONEncoder().encode(document).write(to: settings)
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "xcodebuild.py").path(percentEncoded: false)
        for name in ["xcodebuild", "xcodegen"] {
            let file = folder.appending(path: name)
            let words = [python.path, script, settings.path(percentEncoded: false)]
                .map { "'\($0)'" }.joined(separator: " ")
            try Data("#!/bin/sh\nexec \(words) \(name) \"$@\"\n".utf8).write(to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755],
                ofItemAtPath: file.path(percentEncoded: false),
            )
        }
    }
}
