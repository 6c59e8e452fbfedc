import Foundation
import Testing

@Suite struct ReadmeTests {
    @Test func `the table of folders has every folder of the sources, and no other`() throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let table = try #require(text.split(separator: "| folder |").last)
        let rows = table.split(separator: "\n").dropFirst(2).prefix { $0.hasPrefix("| `") }
        let named = rows.flatMap { row in
            let cell = row.dropFirst(2).prefix { $0 != "|" }
            return cell.split(separator: " ").filter { $0.hasPrefix("`") && !$0.hasSuffix("/`") }
                .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "`")) }
        }
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: root.appending(path: "Sources").path
        )
        #expect(named.sorted() == folders.filter { !$0.hasPrefix(".") }.sorted())
    }
}
