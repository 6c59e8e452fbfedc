import Foundation
import TestSupport

/// `check_signature.py`, a checker of signatures that shares no code with the signer.
enum SignatureCheck {
    static let isPresent =
        ["/usr/bin/openssl"].allSatisfy(
            FileManager.default.isExecutableFile(atPath:)
        ) && python != nil

    private static let python = (ProcessInfo.processInfo.environment["PATH"] ?? "")
        .split(separator: ":").map { "\($0)/python3" }
        .first(where: FileManager.default.isExecutableFile(atPath:))

    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "check_signature.py")

    /// The result for one package.
    struct Result: Decodable {
        struct Problem: Decodable, CustomStringConvertible {
            let rule: String
            let path: String
            let what: String

            var description: String { "\(rule): \(path): \(what)" }
        }

        let package: String
        let problems: [Problem]
        let bundles: Int?
        let programs: Int?
    }

    struct Failure: Error {
        let output: String
    }

    /// Checks packages in a folder.
    ///
    /// - Parameters:
    ///   - packages: file names of the packages.
    ///   - originals: the package from which each was signed.
    ///   - options: `--current`, `--anchor`, …; see the script.
    ///   - folder: folder of the packages.
    /// - Returns: a result for each package, in their order.
    /// - Throws: ``Failure`` if the script itself fails.
    static func results(
        of packages: [String],
        from originals: [String] = [],
        _ options: [String] = ["--current"],
        in folder: URL,
    ) async throws -> [Result] {
        guard let python else { throw Failure(output: "there is no python3") }
        let outcome = try await Program(path: python).run(
            [script.path()] + packages + originals.flatMap { ["--original", $0] } + options,
            in: folder,
        )
        guard
            let results = try? JSONDecoder().decode([Result].self, from: Data(outcome.output.utf8))
        else { throw Failure(output: outcome.output + outcome.errors) }
        return results
    }
}
