import Cryptography
import Foundation
import Pages
import Testing

/// The files that build machines download.
struct AgentFileTests {
    @Test func `the agent that is handed out is the file of this repository`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../agent/runner.py")
        let bytes = Array(try Data(contentsOf: file))
        #expect(AgentFile.bytes == bytes)
        #expect(AgentFile.sha256 == SHA256Digest(of: bytes))
    }
}
