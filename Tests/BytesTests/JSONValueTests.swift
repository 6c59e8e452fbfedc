import Bytes
import Foundation
import Testing

struct JSONValueTests {
    private func nested(_ count: Int) -> Data {
        let text = String(repeating: "[", count: count) + String(repeating: "]", count: count)
        return Data(text.utf8)
    }

    @Test func `any JSON is passed on as it came`() throws {
        let text = #"{"a":[1,2.5,true,null,"x"],"b":{"c":{}}}"#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        #expect(try String(decoding: encoder.encode(value), as: UTF8.self) == text)
    }

    @Test func `what is nested too deeply is refused, without reading it level by level`() throws {
        let limit = JSONValue.depthLimit
        #expect(throws: Never.self) {
            try JSONDecoder().decode(JSONValue.self, from: nested(limit + 1))
        }
        for count in [limit + 2, 500] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(JSONValue.self, from: nested(count))
            }
        }
    }
}
