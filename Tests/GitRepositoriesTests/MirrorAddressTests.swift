import GitRepositories
import TestSupport
import Testing

@Suite struct MirrorAddressTests {
    @Test(arguments: [
        ("https://git.example.com/team/app.git", MirrorAddress.Kind.https),
        ("https://git.example.com:8443/team/My.App", .https),
        ("ssh://git@git.example.com:2222/team/app.git", .ssh),
        ("git@git.example.com:team/app.git", .ssh),
        ("git.example.com:app.git", .ssh),
    ])
    func `addresses of servers are taken`(
        text: String,
        kind: MirrorAddress.Kind,
    ) throws {
        let address = try MirrorAddress(checking: text)
        #expect(address.kind == kind && address.description == text)
    }

    @Test(arguments: [
        "", "-oProxyCommand=touch x", "--upload-pack=touch x", "ext::sh -c touch% x",
        "ext::sh", "fd::3", "file:///etc", "http://example.com/a", "git://example.com/a",
        "ftp://example.com/a", "ssh://-oProxyCommand=x/a", "ssh://-oProxyCommand=x@host/a",
        "-oProxyCommand=x@host:a", "git@-host:a", "host:-a", "https://user:secret@example.com/a",
        "https://token@example.com/a", "ssh://u:p@example.com/a", "https://example.com",
        "https://example.com/", "https:///a", "https://exa mple.com/a", "https://example.com/a\n",
        "https://example.com/$IFS", "https://example.com/a;b", "https://example.com/`id`",
        "https://example.com/../../a", "https://example.com:99999/a", "https://.example.com/a",
        "https://example.com/ä", "/etc", "../app", "app", "C:\\app", "https://example.com/a?b#c",
        "ssh://git@host/a\u{0}b", "git@host:a b", "\u{202E}https://example.com/a",
    ])
    func `what could run a program, leak a password or leave the server is refused`(text: String) {
        #expect(throws: AddressFlaw.self) { try MirrorAddress(checking: text) }
    }

    @Test func `a folder of this machine is taken where it is allowed`() throws {
        #expect(throws: AddressFlaw.file) { try MirrorAddress(checking: "/srv/app.git") }
        #expect(try MirrorAddress(checking: "/srv/app.git", allowsFiles: true).kind == .file)
        #expect(throws: AddressFlaw.self) {
            try MirrorAddress(checking: "/srv/../etc", allowsFiles: true)
        }
    }

    /// The same seed makes the same addresses.
    @Test
    func `of a thousand generated addresses none that is taken can be an option or a program`() {
        var random = SeededGenerator(seed: 20_260_131)
        let parts = [
            "https://", "ssh://", "ext::", "-o", "ProxyCommand=", "git@", "host", ":", "/", "..",
            "$(touch x)", "`id`", " ", "\n", "--upload-pack=", "file://", "@", "a.git", "::", "%2e",
            "\\", "'", "\"", "[::1]", "22",
        ]
        var taken = 0
        for _ in 0..<1000 {
            let count = Int(random.next() % 7) + 1
            let text = (0..<count).map { _ in parts[Int(random.next() % UInt64(parts.count))] }
                .joined()
            guard let address = try? MirrorAddress(checking: text) else { continue }
            taken += 1
            #expect(address.kind != .file)
            #expect(!text.hasPrefix("-") && !text.contains("::-") && !text.contains("$"))
            #expect(!text.contains("@-") && !text.contains("//-") && !text.contains(":-"))
            #expect(text.rangesOfHelper.isEmpty)
        }
        #expect(taken > 0)
    }
}

extension String {
    /// The range in which `git` would see the name of a remote helper: a word and two colons at the
    /// beginning.
    fileprivate var rangesOfHelper: [String] {
        guard let range = firstRange(of: "::") else { return [] }
        let word = self[..<range.lowerBound]
        return word.allSatisfy { $0.isLetter || $0.isNumber } ? [String(word)] : []
    }
}
