import Testing

/// `POST /hooks/{mirror}` on a server without mirrors.
@Suite(.timeLimit(.minutes(10)))
struct HookTests {
    /// A git host sends a webhook for every push.
    @Test(arguments: [(0, 401), (100_000, 401), (2 << 20, 401), (2 << 20 + 1, 413)])
    func `a delivery may be large, and needs its proof`(size: Int, status: Int) async throws {
        try await TestSite.run { site in
            let answer = try await WireClient.secure(site) { client in
                try await client.send(
                    "POST /hooks/app HTTP/1.1\r\nHost: localhost\r\n"
                        + "Content-Type: application/json\r\nX-GitHub-Event: push\r\n"
                        + "Content-Length: \(size)\r\n\r\n"
                        + (status == 413 ? "" : String(repeating: " ", count: size))
                )
                return try await client.response()
            }
            #expect(answer.status == status)
            guard status == 401 else { return }
            let words = String(decoding: answer.body, as: UTF8.self)
            #expect(words.hasPrefix("there is no mirror of that name, or its webhook secret"))
            #expect(!words.contains("<"))
        }
    }
}
