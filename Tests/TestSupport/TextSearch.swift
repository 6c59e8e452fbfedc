/// Finds which of thousands of texts occur in another text, in one pass over it.
///
/// Wherever a text of 15 bytes or more occurs, it covers eight consecutive bytes that begin at a multiple of
/// eight. So a table has the eight-byte windows at the first eight offsets of each text, and only every
/// eighth offset of the searched bytes is looked up in it.
package struct TextSearch: Sendable {
    private let texts: [[UInt8]]
    /// Texts by one of their windows, with the window's offset in the text.
    private let windows: [UInt64: [(text: Int, offset: Int)]]
    /// A bit for the hash of each window: most offsets match none, and need no lookup in the table.
    private let filter: [Bool]

    private static let width = 8
    /// A shorter text might cover no aligned window.
    package static let shortest = 2 * width - 1
    private static let filterSize = 1 << 20

    /// - Parameter texts: the texts to search for; those shorter than ``shortest`` bytes are left out.
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

    /// The high bits of a product depend on every byte of the window, which makes them a hash.
    private static func place(of window: UInt64) -> Int {
        Int((window &* 0x9E37_79B9_7F4A_7C15) >> 44)
    }
}
