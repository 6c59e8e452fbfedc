import Bytes
import Foundation
import Mirrors
import Problems

/// The file of variables for the steps of trusted references.
enum MirrorVariables {
    /// - Parameter file: the file's path, or - for standard input.
    /// - Returns: the variables, by name.
    /// - Throws: ``Problem`` for a file without variables, and errors of reading it.
    static func read(_ file: String) throws -> [String: String] {
        let text = try TextInput.read(file, limit: MirrorSecrets.sizeLimit)
        let isObject = text.drop { $0.isWhitespace }.first == "{"
        let variables =
            isObject
            ? try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
            : lines(text)
        guard let variables else {
            throw Problem(
                id: "mirror.bad-secrets",
                kind: .invalid,
                message: "the secrets are neither NAME=value lines nor a JSON object of strings",
                place: file,
                fix: "write one NAME=value per line; use JSON for values of several lines",
            )
        }
        return variables
    }

    /// Parses lines of the form `NAME=value`; empty lines and those that begin with `#` are ignored.
    private static func lines(_ text: String) -> [String: String]? {
        var variables: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where line.first != "#" {
            guard let mark = line.firstIndex(ofByte: "=") else { return nil }
            variables[String(line[..<mark])] = String(line[line.utf8.index(after: mark)...])
        }
        return variables
    }
}
