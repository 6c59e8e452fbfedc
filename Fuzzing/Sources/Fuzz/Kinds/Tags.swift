import Versions

/// `tag`: an accepted name is harmless in any context, and versions have a total order.
///
/// The input is names, one on each line; each text is also quoted as a shell word.
struct Tags: PlainInputKind {
    static let name = "tag"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let cases = [
            "v1.2.3\n1.2\nv1.2.3-beta.4\nv1.2.3-rc.1+build.5", "browsey/v1.0.0\nsimbridge/1.0",
            "1.0.0-alpha\n1.0.0-alpha.1\n1.0.0-alpha.beta\n1.0.0-2\n1.0.0-11", "--upload-pack=x",
            "a..b\na.lock\n@\n.a\na/\nrefs/tags/v1", "$(touch x)\n`x`\n'a'\\''b'",
        ]
        return Dictionary(
            uniqueKeysWithValues: cases.enumerated().map { ("\($0)", Array($1.utf8)) }
        )
    }

    func check(_ input: [UInt8]) {
        guard let text = String(validating: input, as: UTF8.self) else { return }
        checkWord(text)
        let names = text.split(separator: "\n").prefix(8).compactMap { line in
            accepted { () throws(TagFlaw) in try TagName(String(line)) }
        }
        for name in names { check(name) }
        let tags = names.compactMap { name in
            accepted { () throws(VersionFlaw) in try VersionTag(name) }
        }
        for tag in tags { check(tag.version) }
        checkOrder(of: tags.map(\.version))
        let forwards = accepted { () throws(VersionRefusal) in try VersionTag.released(as: names) }
        let backwards = accepted { () throws(VersionRefusal) in
            try VersionTag.released(as: names.reversed())
        }
        promise(forwards == backwards, "the order of tags decides which one counts")
    }

    private func check(_ name: TagName) {
        let safe = name.rawValue.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "._+-/@".utf8.contains(byte)
            }
        }
        promise(safe && !name.rawValue.hasPrefix("-"), "\(name) may mean something to a shell")
        promise(
            !name.rawValue.split(separator: "/").contains("..") && !name.rawValue.hasPrefix("/"),
            "\(name) leads out of its folder",
        )
        let same = accepted { () throws(TagFlaw) in try TagName(reference: name.reference) }
        promise(same == .some(name), "\(name) is another tag as a reference")
    }

    private func check(_ version: Version) {
        let same = accepted { () throws(VersionFlaw) in try Version(version.description) }
        promise(same == version, "\(version) is another version when it is read again")
        let marketing = accepted { () throws(VersionFlaw) in try Version(version.marketing) }
        promise(
            marketing.map { !($0 < version) } == true,
            "\(version) comes after its own release",
        )
    }

    private func checkOrder(of versions: [Version]) {
        for left in versions {
            for right in versions {
                let holding = [left < right, left == right, right < left].count { $0 }
                promise(holding == 1, "\(left) and \(right) have no order")
                promise(
                    left != right || left.hashValue == right.hashValue,
                    "\(left) and \(right) are equal and hash apart",
                )
                for third in versions where left < right && right < third {
                    promise(left < third, "\(left), \(right), \(third) go round in a circle")
                }
            }
        }
    }

    /// Parses the word according to POSIX: everything between single quotes is literal, with `\'` between
    /// them.
    private func checkWord(_ text: String) {
        var read: [UInt8] = []
        var rest = Array(ShellWord(text).description.utf8)[...]
        var isQuoted = false
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "'") {
                isQuoted.toggle()
            } else if isQuoted {
                read.append(byte)
            } else {
                promise(byte == UInt8(ascii: "\\"), "the word of a shell ends early")
                guard let next = rest.popFirst() else { stop("the word of a shell does not end") }
                read.append(next)
            }
        }
        promise(!isQuoted, "the word of a shell does not end")
        promise(read == Array(text.utf8), "a shell reads another word")
    }
}
