import Foundation
import TestSupport
import Testing

/// `scripts/circles` finds folders of a target that use each other.
struct CircleTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func judge(_ files: [String: String]) async throws -> Program.Outcome {
        try await withTemporaryFolder { folder in
            for (path, text) in files {
                let file = folder.appending(path: "House").appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true,
                )
                try Data(text.utf8).write(to: file)
            }
            let script = Self.root.appending(path: "scripts/circles").path()
            return try await Program(path: script)
                .run([folder.appending(path: "House").path()], in: folder)
        }
    }

    @Test func `a circle over three folders is named with the types that close it`() async throws {
        let outcome = try await judge([
            "Doors/Door.swift": "struct Door { let lock: Lock }\n",
            "Locks/Deep/Lock.swift": "package struct Lock { let key: Key }\n",
            "Keys/Key.swift": "final class Key {\n    var door: Door?\n}\n",
            "Walls/Wall.swift": "struct Wall { let door: Door }\n",
        ])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("in a circle: Doors, Keys, Locks\n"))
        #expect(outcome.output.contains("Keys -> Doors: Door in "))
        #expect(!outcome.output.contains("Walls"))
    }

    @Test func `an arrow that runs one way is no circle, and neither is a name in a comment`()
        async throws
    {
        let outcome = try await judge([
            "Doors/Door.swift": "struct Door { let lock: Lock }\n",
            "Locks/Lock.swift": "/// A Door has one.\nstruct Lock { let name = \"Door\" }\n",
            "House.swift": "struct House { let door: Door }\n",
        ])
        #expect(outcome.status == 0)
        #expect(outcome.output == "")
    }
}
