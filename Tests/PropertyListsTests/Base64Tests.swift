import Foundation
import PropertyLists
import TestSupport
import Testing

/// The data of an XML property list against Foundation, of whose texts only the one that encoding gives is
/// taken.
struct Base64Tests {
    private func read(_ text: String) -> [UInt8]? {
        try? PropertyList(reading: Array("<plist><data>\(text)</data></plist>".utf8)).data
    }

    @Test(arguments: 0...67)
    func `what Foundation encodes is read, with white space anywhere`(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 89 + count) }
        let text = Data(bytes).base64EncodedString()
        #expect(read(text) == bytes)
        #expect(read("\n\t" + text.map { "\($0)\r\n " }.joined()) == bytes)
    }

    @Test func `a text is read if it is what encoding gives, and otherwise refused`() {
        var random = SeededGenerator(seed: 7)
        let alphabet = Array("ABQgw/+9z=-_")
        var isRead = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...8, using: &random)
            let text = String(
                (0..<count).map { _ in alphabet.randomElement(using: &random) ?? "A" }
            )
            let data = Data(base64Encoded: text)
            let expected = data.flatMap { $0.base64EncodedString() == text ? [UInt8]($0) : nil }
            #expect(read(text) == expected, "\(text)")
            isRead += expected == nil ? 0 : 1
        }
        #expect(isRead > 1000)
    }
}
