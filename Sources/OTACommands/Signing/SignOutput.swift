import Foundation
import Problems

/// Checks of the path for a signed build.
enum SignOutput {
    /// Refuses a path that exists already, or is the build to sign.
    ///
    /// - Throws: ``Problem``.
    static func check(_ output: String, isNot input: String, replacing: Bool) throws(Problem) {
        guard real(output) != real(input) else {
            throw Problem(
                id: "sign.output-is-input",
                kind: .conflict,
                message: "the output is the same file as the build to sign",
                place: output,
                fix: "give another file with --output",
            )
        }
        guard replacing || !FileManager.default.fileExists(atPath: output) else {
            throw Problem(
                id: "sign.output-exists",
                kind: .conflict,
                message: "the output already exists",
                place: output,
                fix: "give another file with --output, or replace it with --force",
            )
        }
    }

    private static func real(_ path: String) -> URL {
        URL(filePath: path).absoluteURL.resolvingSymlinksInPath().standardizedFileURL
    }
}

extension ReportableError {
    /// The same problem, with the name of the file.
    func problem(at place: String) -> Problem {
        Problem(id: id, kind: kind, message: description, place: place, fix: fix)
    }
}
