import Bytes

/// Finds entries by path, and refuses paths that a phone or a Mac could confuse.
///
/// Every entry and every enclosing folder is a node, identified by two hashes of its path: `fold` is
/// equal for paths that differ only in case or Unicode normalization, `exact` is not. Both have a new
/// seed in each process, so an archive cannot provoke a collision; one by chance is expected in a billion
/// of the largest archives.
struct NameIndex: Sendable {
    private struct Node {
        let fold: Int
        let exact: Int
        /// The entry itself, or the first one below a folder without an entry.
        var entry: Int32
        var form: Form
    }

    private enum Form: UInt8 {
        case impliedFolder
        case folder
        case leaf
    }

    private var nodes: [Node] = []
    /// Open addressing over `nodes`; the size is a power of two, and -1 marks a free slot.
    private var slots: [Int32]

    init(_ entries: [ZipEntry], limits: ZipLimits) throws(ZipRefusal) {
        slots = Array(repeating: -1, count: 64)
        var folder: PathHashes.Folder?
        for index in entries.indices {
            try insert(index, in: entries, after: &folder)
            guard nodes.count <= 2 * limits.entries else {
                throw ZipRefusal(
                    .tooManyEntries,
                    at: entries[index],
                    "brings the folders to more than the \(limits.entries.grouped) allowed",
                )
            }
        }
    }

    /// The index in `entries` of the entry named `path`, in exactly this case.
    ///
    /// As in a phone's file system, letter case matters and Unicode normalization does not: a name in
    /// Info.plist opens a file that was packed on an older Mac. No archive has both forms.
    func index(of path: RelativePath, in entries: [ZipEntry]) -> Int? {
        guard let node = find(PathHashes.fold(of: path)), nodes[node].form != .impliedFolder
        else { return nil }
        let entry = Int(nodes[node].entry)
        // Swift compares strings by canonical equivalence.
        return entries[entry].path.text == path.text ? entry : nil
    }

    // `folder` is one whose nodes are known to be there, and becomes that of this entry.
    private mutating func insert(
        _ index: Int,
        in entries: [ZipEntry],
        after folder: inout PathHashes.Folder?,
    ) throws(ZipRefusal) {
        let entry = entries[index]
        var hashes = PathHashes(entry.path, behind: folder)
        defer { folder = hashes.folder }
        while let hash = hashes.next() {
            let form: Form =
                !hash.isWhole ? .impliedFolder : entry.kind == .directory ? .folder : .leaf
            guard let known = find(hash.fold) else {
                add(Node(fold: hash.fold, exact: hash.exact, entry: Int32(index), form: form))
                continue
            }
            guard nodes[known].exact == hash.exact else {
                throw refusal(.caseCollision, entry, entries[Int(nodes[known].entry)])
            }
            switch (nodes[known].form, form) {
            case (.impliedFolder, .impliedFolder), (.folder, .impliedFolder):
                continue
            case (.impliedFolder, .folder):
                nodes[known].form = .folder
                nodes[known].entry = Int32(index)
            default:
                throw refusal(.duplicateEntry, entry, entries[Int(nodes[known].entry)])
            }
        }
    }

    private func refusal(_ rule: ZipRule, _ entry: ZipEntry, _ other: ZipEntry) -> ZipRefusal {
        let name = PrintableText(escaping: other.path).text
        return switch rule {
        case .caseCollision:
            ZipRefusal(rule, at: entry, "differs from \(name) only in case or accents")
        default:
            ZipRefusal(
                rule,
                at: entry,
                entry.path == other.path
                    ? "appears twice" : "cannot exist together with \(name)",
            )
        }
    }

    private func find(_ fold: Int) -> Int? {
        var slot = fold & (slots.count - 1)
        while slots[slot] >= 0 {
            let node = Int(slots[slot])
            if nodes[node].fold == fold { return node }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private mutating func add(_ node: Node) {
        nodes.append(node)
        if nodes.count * 2 > slots.count {
            slots = Array(repeating: -1, count: slots.count * 2)
            for index in nodes.indices { place(index) }
        } else {
            place(nodes.count - 1)
        }
    }

    private mutating func place(_ index: Int) {
        var slot = nodes[index].fold & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(index)
    }
}
