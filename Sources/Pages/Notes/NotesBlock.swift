/// One block of release notes.
indirect enum NotesBlock: Equatable {
    typealias Line = [Unicode.Scalar]

    enum Alignment: Equatable {
        case start, center, end
    }

    case heading(Line)
    case paragraph([Line])
    case code([Line])
    case quote([NotesBlock])
    /// `start` is the first number; nil for bullets.
    case list(start: Int?, items: [[NotesBlock]])
    case table(head: [Line], alignments: [Alignment], rows: [[Line]])
    case rule

    /// The approximate number of lines on a phone.
    var lines: Int {
        switch self {
        case .heading, .rule: 1
        case .paragraph(let lines): lines.reduce(0) { $0 + Self.lines(of: $1) }
        case .code(let lines): lines.count + 1
        case .quote(let blocks): Self.lines(of: blocks)
        case .list(_, let items): items.reduce(0) { $0 + max(1, Self.lines(of: $1)) }
        case .table(_, _, let rows): rows.count + 2
        }
    }

    /// Characters per line on a phone.
    private static let width = 44

    private static func lines(of line: Line) -> Int { max(1, (line.count + width - 1) / width) }

    private static func lines(of blocks: [NotesBlock]) -> Int { blocks.reduce(0) { $0 + $1.lines } }

    // MARK: Folding

    /// Splits the blocks into those that fit into `room` lines, and the rest.
    ///
    /// Lists are split between items, other blocks between lines or rows. A heading stays with the block
    /// that follows it.
    static func split(
        _ blocks: [NotesBlock],
        at room: Int,
    ) -> (shown: [NotesBlock], rest: [NotesBlock]) {
        var shown: [NotesBlock] = []
        var left = room
        for (index, block) in blocks.enumerated() {
            guard block.lines > left else {
                shown.append(block)
                left -= block.lines
                continue
            }
            var rest = Array(blocks[index...])
            if let (head, tail) = block.split(at: left) {
                shown.append(head)
                rest[0] = tail
            }
            while case .heading? = shown.last { rest.insert(shown.removeLast(), at: 0) }
            return (shown, rest)
        }
        return (shown, [])
    }

    /// - Returns: nil if nothing of it fits, or it cannot be split.
    private func split(at room: Int) -> (NotesBlock, NotesBlock)? {
        switch self {
        case .heading, .rule:
            return nil
        case .paragraph(let lines):
            let count = Self.fitting(lines.map(Self.lines(of:)), room)
            guard count > 0 else { return nil }
            return (
                .paragraph(Array(lines.prefix(count))), .paragraph(Array(lines.dropFirst(count))),
            )
        case .code(let lines):
            let count = room - 1
            guard count > 0 else { return nil }
            return (.code(Array(lines.prefix(count))), .code(Array(lines.dropFirst(count))))
        case .quote(let blocks):
            let (shown, rest) = Self.split(blocks, at: room)
            guard !shown.isEmpty else { return nil }
            return (.quote(shown), .quote(rest))
        case .list(let start, let items):
            let count = Self.fitting(items.map { max(1, Self.lines(of: $0)) }, room)
            guard count > 0 else { return nil }
            return (
                .list(start: start, items: Array(items.prefix(count))),
                .list(start: start.map { $0 + count }, items: Array(items.dropFirst(count))),
            )
        case .table(let head, let alignments, let rows):
            let count = room - 2
            guard count > 0 else { return nil }
            return (
                .table(head: head, alignments: alignments, rows: Array(rows.prefix(count))),
                .table(head: head, alignments: alignments, rows: Array(rows.dropFirst(count))),
            )
        }
    }

    /// Returns how many of the first parts fit.
    private static func fitting(_ sizes: [Int], _ room: Int) -> Int {
        var left = room
        return sizes.prefix { size in
            left -= size
            return left >= 0
        }.count
    }
}
