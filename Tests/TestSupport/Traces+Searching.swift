package import Foundation

extension Traces {
    /// The traces of a run.
    ///
    /// - Parameter folder: where ``keep(_:as:)`` has put them.
    /// - Returns: names of files and their kinds; nil for the kind of a file that has none.
    /// - Throws: what the file system says.
    package static func names(in folder: URL) throws -> [(name: String, kind: Kind?)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).map { name in
            (name, Kind.allCases.first { name.hasPrefix($0.rawValue) })
        }
    }

    /// The secrets of files: lines of private keys, and keys that are one line; certificates are none.
    ///
    /// - Parameter text: a file that has them.
    /// - Returns: the lines, without their ends.
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

    /// A search for secrets, for the beginning of any private key, and for that of any token as the App
    /// Store Connect API takes them.
    ///
    /// - Parameter secrets: lines; how JSON and addresses write them is searched for too.
    /// - Returns: the search; each spelling counts by itself.
    package static func search(for secrets: Set<String>) -> TextSearch {
        let beginnings = ["PRIVATE KEY-----", "PRIVATE%20KEY-----", "eyJhbGciOiJFUzI1NiI"]
        return TextSearch(beginnings + secrets.flatMap(spellings))
    }

    /// A line of base64 as it is, with slashes as JSON may write them, and as a part of an address.
    private static func spellings(of secret: String) -> Set<String> {
        let percent = secret.replacing("+", with: "%2B").replacing("/", with: "%2F")
            .replacing("=", with: "%3D")
        return [
            secret, secret.replacing("/", with: "\\/"), percent,
            percent.replacing("%2B", with: "%2b").replacing("%2F", with: "%2f")
                .replacing("%3D", with: "%3d"),
        ]
    }

    /// A refused form gives back what was typed to whoever typed it: that is left out.
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
