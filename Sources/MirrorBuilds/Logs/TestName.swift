/// A test by its class and function, in any of the forms that logs use: `-[AppTests.LoginTests testOut]`,
/// `LoginTests.testOut()`, or the title that Swift Testing shows.
struct TestName: Hashable, Sendable {
    private let bytes: [UInt8]

    /// A title from Swift Testing: `"a code is scanned"` or `scansCode()`.
    init(title: ArraySlice<UInt8>) {
        bytes = title.filter { $0 != UInt8(ascii: "\"") }
    }

    /// `-[AppTests.LoginTests testOut]`.
    init?(objectiveC name: ArraySlice<UInt8>) {
        guard name.starts(with: Array("-[".utf8)), name.last == UInt8(ascii: "]") else {
            return nil
        }
        let parts = name.dropFirst(2).dropLast().split(separator: UInt8(ascii: " "))
        guard parts.count == 2,
            let owner = parts[0].split(separator: UInt8(ascii: ".")).last
        else { return nil }
        bytes = Array(owner) + [UInt8(ascii: ".")] + parts[1]
    }

    /// A line after `Testing failed:`; nil if it does not name a test.
    init?(summary line: ArraySlice<UInt8>) {
        if let name = TestName(objectiveC: line) {
            self = name
            return
        }
        let name = line.suffix(2).elementsEqual("()".utf8) ? line.dropLast(2) : line
        guard name.contains(UInt8(ascii: ".")), !name.contains(UInt8(ascii: " ")),
            !name.contains(UInt8(ascii: "/")), !name.contains(UInt8(ascii: ":"))
        else { return nil }
        bytes = Array(name)
    }
}
