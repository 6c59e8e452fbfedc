package import Foundation

extension Traces {
    /// Returns the traces of a run.
    ///
    /// - Parameter folder: the folder to which ``keep(_:as:)`` wrote them.
    /// - Returns: the file names and their kinds; the kind is nil for an unknown file.
    /// - Throws: an error of the file system.
    package static func names(in folder: URL) throws -> [(name: String, kind: Kind?)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).map { name in
            (name, Kind.allCases.first { name.hasPrefix($0.rawValue) })
        }
    }

    /// Returns the secrets in a text: the lines of private keys, and one-line keys; certificates are not
    /// secret.
    ///
    /// - Parameter text: the content of a file with secrets.
    /// - Returns: the lines, without line endings.
    package static func secrets(in text: String) -> Set<String> {
        var isSecret = !text.contains("-----BEGIN")
        var secrets: Set<String> = []
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("-----BEGIN") {
                isSecret = line.contains("PRIVATE KEY")
            } else if isSecret, !line.hasPrefix("-----"), line.utf8.count >= 32 {
                secrets.insert(String(line))
            }
        }
        return secrets
    }

    /// Returns a search for secrets, for the beginning of any private key in PEM, and for that of any App
    /// Store Connect API token.
    ///
    /// - Parameter secrets: lines, which are also searched for as JSON and URLs would write them.
    /// - Returns: the search; it reports each spelling separately.
    package static func search(for secrets: Set<String>) -> TextSearch {
        let beginnings = ["PRIVATE KEY-----", "PRIVATE%20KEY-----", "eyJhbGciOiJFUzI1NiI"]
        return TextSearch(beginnings + secrets.flatMap(spellings))
    }

    /// A line of base64 as it is, with slashes escaped as in JSON, and percent-encoded.
    private static func spellings(of secret: String) -> Set<String> {
        let percent = secret.replacing("+", with: "%2B").replacing("/", with: "%2F")
            .replacing("=", with: "%3D")
        return [
            secret, secret.replacing("/", with: "\\/"), percent,
            percent.replacing("%2B", with: "%2b").replacing("%2F", with: "%2f")
                .replacing("%3D", with: "%3d"),
        ]
    }

    /// Removes the values of form fields: a refused form shows users again what they typed.
    package static func withoutFields(_ page: [UInt8]) -> [UInt8] {
        let area = Array("<textarea".utf8)
        let value = Array("value=\"".utf8)
        var kept: [UInt8] = []
        kept.reserveCapacity(page.count)
        var place = 0
        while place < page.count {
            let byte = page[place]
            if byte == UInt8(ascii: "<"), page[place...].starts(with: area),
                let end = page[place...].firstIndex(of: UInt8(ascii: ">"))
            {
                place = page[end...].firstIndex(of: UInt8(ascii: "<")) ?? page.count
            } else if [UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t")].contains(byte),
                page[(place + 1)...].starts(with: value),
                let end = page[(place + 1 + value.count)...].firstIndex(of: UInt8(ascii: "\""))
            {
                place = end + 1
            } else {
                kept.append(byte)
                place += 1
            }
        }
        return kept
    }
}
