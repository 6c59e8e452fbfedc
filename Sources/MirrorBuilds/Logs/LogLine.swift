import Bytes
import Essentials
import Identifiers
import Releases

/// One line of a build's log, searched for errors.
struct LogLine {
    private let bytes: [UInt8]

    /// Removes terminal colours.
    init(_ raw: [UInt8]) {
        guard raw.contains(0x1B) else {
            bytes = raw
            return
        }
        var plain: [UInt8] = []
        var isEscape = false
        for byte in raw {
            if byte == 0x1B {
                isEscape = true
            } else if isEscape {
                // A control sequence ends with a letter.
                isEscape = !((0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte))
            } else {
                plain.append(byte)
            }
        }
        bytes = plain
    }

    var isIndented: Bool { bytes.first == 0x20 || bytes.first == 0x09 }

    var trimmed: ArraySlice<UInt8> { Self.trimmed(bytes[...]) }

    func begins(_ text: StaticString) -> Bool { Self.begins(trimmed, text) }

    /// `ARCHIVE FAILED` of `** ARCHIVE FAILED **`.
    var outcome: String? {
        guard begins("** "), let end = Self.place(of: " FAILED **", in: trimmed) else { return nil }
        let name = trimmed[(trimmed.startIndex + 3)..<end]
        guard name.count <= 40 else { return nil }
        return shown(name) + " FAILED"
    }

    /// `Test Case '-[AppTests.LoginTests testOut]' failed (0.003 seconds).`, and the line that Swift
    /// Testing prints at the end of a failed test.
    var failedCase: (name: TestName, shown: String)? {
        if begins("Test Case '"), let end = Self.place(of: "' failed", in: trimmed) {
            let name = trimmed[(trimmed.startIndex + 11)..<end]
            return TestName(objectiveC: name).map { ($0, shown(name)) }
        }
        guard let title = swiftTest, let end = Self.place(of: " failed after ", in: title) else {
            return nil
        }
        let name = title[..<end]
        return (TestName(title: name), "Test " + shown(name))
    }

    /// `✘ Test "a code is scanned" recorded an issue at ScanTests.swift:10:9: Expectation failed: …`.
    var recordedIssue: (BuildIssue, TestName)? {
        let mark: StaticString = " recorded an issue at "
        guard let title = swiftTest, let end = Self.place(of: mark, in: title) else { return nil }
        let name = title[..<end]
        let rest = title[(end + mark.utf8CodeUnitCount)...]
        guard let colon = Self.place(of: ": ", in: rest) else { return nil }
        let place = SourcePlace(rest[..<colon])
        let message = "Test \(shown(name)): \(shown(rest[(colon + 2)...]))"
        return (issue(.test, place, message, without: []), TestName(title: name))
    }

    /// What follows `✘ Test `, if it is a test and not a run or a suite.
    private var swiftTest: ArraySlice<UInt8>? {
        guard let start = Self.place(of: "Test ", in: trimmed) else { return nil }
        let sign = trimmed[..<start]
        // A symbol for failure comes first: ✘, or one of Apple's private symbols.
        guard (3...8).contains(sign.count), sign.dropLast().contains(where: { $0 >= 0x80 }),
            sign.last == 0x20
        else { return nil }
        let title = trimmed[(start + 5)...]
        return Self.begins(title, "run with ") ? nil : title
    }

    /// `path:line:column: error: message`, `error: message`, `xcodebuild: error: message`.
    ///
    /// - Parameter folders: the checkouts whose paths are left out.
    /// - Returns: the issue, and the test whose failure it explains, if any.
    func error(without folders: [[UInt8]]) -> (BuildIssue, TestName?)? {
        guard let (front, message) = parts else { return nil }
        // A warning may quote an error.
        for word: StaticString in ["warning: ", "note: ", "remark: "]
        where Self.place(of: word, in: front) != nil { return nil }
        let place = SourcePlace(front)
        if Self.begins(message, "-["), let end = Self.place(of: "] : ", in: message),
            let test = TestName(objectiveC: message[...end])
        {
            let why = shown(message[(end + 4)...])
            let words = "\(shown(message[...end])): \(why)"
            return (issue(.test, place, words, without: folders), test)
        }
        let isTool = place?.line == nil && !front.contains(UInt8(ascii: "/"))
        let isLinker = isTool && (Self.begins(front, "ld") || Self.isLinkerCommand(message))
        let kind: BuildIssue.Kind =
            if Self.isAboutSigning(message) {
                .signing
            } else if isLinker {
                .link
            } else if place?.line != nil {
                .compile
            } else {
                .build
            }
        return (issue(kind, isTool ? nil : place, shown(message), without: folders), nil)
    }

    /// The parts before and after `error: `; nil for a line without it.
    private var parts: (front: ArraySlice<UInt8>, message: ArraySlice<UInt8>)? {
        let line = trimmed
        var from = line.startIndex
        while let place = Self.place(of: "error: ", in: line[from...]) {
            let message = Self.trimmed(line[(place + 7)...])
            var front = line[..<place]
            if front.suffix(6).elementsEqual("fatal ".utf8) { front = front.dropLast(6) }
            if front.isEmpty, !message.isEmpty { return (front, message) }
            if front.suffix(2).elementsEqual(": ".utf8), !message.isEmpty {
                return (front.dropLast(2), message)
            }
            from = place + 1
        }
        return nil
    }

    /// `ld: symbol(s) not found for architecture arm64`.
    var linkerError: String? {
        guard begins("ld: "), !begins("ld: warning") else { return nil }
        return shown(trimmed.dropFirst(4))
    }

    /// `"_OBJC_CLASS_$_Foo", referenced from:`.
    var undefinedSymbol: String? {
        guard begins("\""), let end = Self.place(of: "\", referenced from", in: trimmed) else {
            return nil
        }
        return PrintableText(
            escaping: trimmed[(trimmed.startIndex + 1)..<end],
            limit: 80,
        ).text
    }

    /// A message about provisioning profiles or certificates on a line that does not begin with `error:`.
    var signingError: String? {
        guard Self.isAboutSigning(trimmed),
            begins("No profiles for") || begins("\"")
                || begins("Provisioning profile") || begins("No signing certificate")
        else { return nil }
        return shown(trimmed)
    }

    private static func isAboutSigning(_ message: ArraySlice<UInt8>) -> Bool {
        let words: [StaticString] = [
            "No profiles for", "requires a provisioning profile", "rovisioning profile ",
            "No signing certificate", "No Team Found in Archive", "requires a development team",
            "No Accounts",
        ]
        return words.contains { place(of: $0, in: message) != nil }
    }

    private static func isLinkerCommand(_ message: ArraySlice<UInt8>) -> Bool {
        begins(message, "linker command failed") || begins(message, "link command failed")
    }

    private func issue(
        _ kind: BuildIssue.Kind,
        _ place: SourcePlace?,
        _ message: String,
        without folders: [[UInt8]],
    ) -> BuildIssue {
        var file = place?.file
        for folder in folders where file?.starts(with: folder) == true {
            file = file?.dropFirst(folder.count)
            break
        }
        // On a runner, the checkout is in a folder of this name, wherever that folder is.
        if let path = file, path.first == UInt8(ascii: "/"),
            let place = Self.place(of: "/checkout/", in: path)
        {
            file = path[(place + 10)...]
        }
        return BuildIssue(
            kind,
            file: file.map(shown),
            line: place?.line,
            message: message,
        )
    }

    /// Returns the bytes as printable text, with UDIDs masked.
    func shown(_ bytes: ArraySlice<UInt8>) -> String {
        let text = PrintableText(escaping: bytes, limit: BuildIssue.messageLimit).text
        return DeviceUDID.masked(in: text)
    }

    private static func begins(_ bytes: ArraySlice<UInt8>, _ text: StaticString) -> Bool {
        place(of: text, in: bytes.prefix(text.utf8CodeUnitCount)) != nil
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let rest = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        guard let last = rest.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return rest }
        return rest[...last]
    }

    /// The index at which a text first occurs.
    private static func place(of text: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
        text.withUTF8Buffer { buffer in
            let needle = unsafe Array(buffer)
            guard let first = needle.first, bytes.count >= needle.count else { return nil }
            var place = bytes.startIndex
            while place <= bytes.endIndex - needle.count {
                if bytes[place] == first,
                    bytes[place..<(place + needle.count)].elementsEqual(needle)
                {
                    return place
                }
                place += 1
            }
            return nil
        }
    }
}
