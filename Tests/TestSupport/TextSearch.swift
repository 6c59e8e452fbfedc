/// Finds which of thousands of texts occur in another, in one pass over that.
///
/// A text of 15 bytes or more that occurs anywhere covers eight bytes in a row that begin at a multiple
/// of eight. So the windows of eight bytes at the first eight places of each text are kept in a table,
/// and only every eighth place of what is searched is looked up.
package struct TextSearch: Sendable {
    private let texts: [[UInt8]]
    /// Texts by a window of theirs, and where in the text it is.
    private let windows: [UInt64: [(text: Int, offset: Int)]]
    /// One bit for the low bits of each window: most places are none, and need no table.
    private let filter: [Bool]

    private static let width = 8
    /// What is shorter might cover no whole window.
    package static let shortest = 2 * width - 1
    private static let filterSize = 1 << 20

    /// - Parameter texts: what is searched for, each of ``shortest`` bytes or more; others are left out.
    package init(_ texts: some Sequence<String>) {
        self.texts = texts.map { Array($0.utf8) }.filter { $0.count >= Self.shortest }
        var windows: [UInt64: [(text: Int, offset: Int)]] = [:]
        var filter = [Bool](repeating: false, count: Self.filterSize)
        for (index, text) in self.texts.enumerated() {
            for offset in 0..<Self.width {
                let window = Self.window(of: text, at: offset)
                windows[window, default: []].append((index, offset))
                filter[Self.place(of: window)] = true
            }
        }
        self.windows = windows
        self.filter = filter
    }

    /// The texts that occur in `bytes`.
    package func found(in bytes: [UInt8]) -> Set<String> {
        var found: Set<Int> = []
        var place = 0
        while place + Self.width <= bytes.count {
            let window = Self.window(of: bytes, at: place)
            if filter[Self.place(of: window)], let candidates = windows[window] {
                for (text, offset) in candidates
                where !found.contains(text) && occurs(text, in: bytes, at: place - offset) {
                    found.insert(text)
                }
            }
            place += Self.width
        }
        return Set(found.map { String(decoding: texts[$0], as: UTF8.self) })
    }

    private func occurs(_ index: Int, in bytes: [UInt8], at start: Int) -> Bool {
        let text = texts[index]
        guard start >= 0, text.count <= bytes.count - start else { return false }
        return bytes[start..<start + text.count].elementsEqual(text)
    }

    private static func window(of bytes: [UInt8], at place: Int) -> UInt64 {
        var window: UInt64 = 0
        for offset in 0..<width { window = window << 8 | UInt64(bytes[place + offset]) }
        return window
    }

    /// The high bits of a product depend on every byte of the window.
    private static func place(of window: UInt64) -> Int {
        Int((window &* 0x9E37_79B9_7F4A_7C15) >> 44)
    }
}
