package import Bytes

extension ZipArchive {
    /// `PATH_MAX` on iOS: no link with a longer target can be created.
    private static let longestTarget = 1024

    /// Reads the target of every symbolic link, and refuses targets outside the link's bundle.
    func checkSymbolicLinks(atMost limit: Int) throws(ZipRefusal) {
        let links = entries.filter { $0.kind == .symbolicLink }
        guard !links.isEmpty else { return }
        guard links.count <= limit else {
            throw ZipRefusal(
                .tooManyEntries,
                at: ZipRefusal.directory,
                "\(links.count.grouped) symbolic links, more than the \(limit.grouped) allowed",
            )
        }
        try withInflater(window: 4096) { (inflater) throws(ZipRefusal) in
            for link in links {
                guard link.size <= Self.longestTarget else {
                    throw ZipRefusal(
                        .escapingSymlink,
                        at: link,
                        "has a target of \(link.size.grouped) bytes, more than \(Self.longestTarget.grouped)",
                    )
                }
                var target: [UInt8] = []
                try unsafe inflater.read(link, from: source) { chunk in
                    unsafe target.append(contentsOf: chunk)
                    return true
                }
                if let reason = Self.escape(of: link.path, to: target) {
                    throw ZipRefusal(.escapingSymlink, at: link, reason)
                }
            }
        }
    }

    /// Why a link leads outside its top folders, of which an IPA has two (`Payload/X.app`); nil when it
    /// does not.
    ///
    /// `..` is allowed only at the beginning of a target: the folders above a link are real folders (no
    /// entry is below a link), so each `..` goes up exactly one. After a name, it could cancel a step
    /// through another link, and the result would depend on that link.
    package static func escape(
        of path: RelativePath,
        to target: [UInt8],
        within top: Int = 2,
    ) -> String? {
        let shown = PrintableText(escaping: target[...]).text
        guard !target.isEmpty else { return "points to nothing" }
        guard target.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            return "points to \(shown), which is not a plain path"
        }
        guard target[0] != UInt8(ascii: "/") else { return "points to the absolute path \(shown)" }
        let steps = target.split(separator: UInt8(ascii: "/"))
            .filter { !$0.elementsEqual(".".utf8) }
        let up = steps.prefix { $0.elementsEqual("..".utf8) }.count
        guard !steps.dropFirst(up).contains(where: { $0.elementsEqual("..".utf8) }) else {
            return "points to \(shown), which goes up after going down"
        }
        let folders = path.bytes.count { $0 == UInt8(ascii: "/") }
        guard folders - up >= top else { return "points to \(shown), outside its bundle" }
        return nil
    }
}
