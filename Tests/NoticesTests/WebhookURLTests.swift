import Foundation
import Notices
import Releases
import Testing

/// Where a webhook may be, and every known way to obscure that.
struct WebhookURLTests {
    private func add(_ url: String, private allowsPrivate: Bool = false) throws -> Webhook {
        var register = WebhookRegister()
        var draft = WebhookDraft(url: url, kind: .json, by: "a test")
        draft.allowsPlain = true
        draft.allowsPrivate = allowsPrivate
        return try register.add(draft, at: .now) { [UInt8](repeating: 7, count: $0) }
    }

    /// None of these may be registered, whatever a resolver returns.
    static let hostile = [
        // Not a URL for HTTP requests.
        "", "hooks.example.com", "//hooks.example.com/", "ftp://hooks.example.com/",
        "file:///etc/passwd", "gopher://hooks.example.com/", "unix:///run/docker.sock",
        "http+unix://%2Frun%2Fdocker.sock/", "javascript:alert(1)", "https:/hooks.example.com",
        "https:hooks.example.com", "https://", "https:///path", "https://?query",
        // This machine.
        "http://127.0.0.1/", "http://127.0.0.1:8443/admin", "https://127.255.255.254/",
        "http://[::1]/", "http://[0:0:0:0:0:0:0:1]/", "http://[::]/", "http://0.0.0.0/",
        "http://0.0.0.0:6379/", "http://0.1.2.3/",
        // This machine in other notations.
        "http://2130706433/", "http://0x7f000001/", "http://0x7f.0.0.1/", "http://0177.0.0.1/",
        "http://017700000001/", "http://127.1/", "http://127.0.1/", "http://127.000.000.001/",
        "http://127.0.0.1./", "http://127.0.0.0x1/", "http://1.0/", "http://0/",
        "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[0:0:0:0:0:ffff:a00:1]/",
        "http://[::127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[64:ff9b::a9fe:a9fe]/",
        "http://[2002:7f00:1::]/", "http://[2001:0:7f00:1::]/",
        // Private networks.
        "http://10.0.0.1/", "http://10.255.255.255/", "http://172.16.0.1/",
        "http://172.31.255.254/", "http://192.168.1.1/", "http://100.64.0.1/",
        "http://100.127.255.255/", "http://[fc00::1]/", "http://[fd12:3456::1]/",
        "http://169.254.1.1/", "http://[fe80::1]/", "http://[fe80::1%25eth0]/",
        "http://[fe80::1%eth0]/", "http://[fec0::1]/",
        // Metadata services of clouds.
        "http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/",
        "http://100.100.100.200/", "http://168.63.129.16/", "http://192.0.0.192/",
        "http://2852039166/", "http://[::ffff:169.254.169.254]/",
        // Multicast, reserved and documentation addresses.
        "http://224.0.0.1/", "http://239.255.255.250/", "http://255.255.255.255/",
        "http://240.0.0.1/", "http://192.0.2.1/", "http://198.18.0.1/", "http://198.51.100.1/",
        "http://203.0.113.1/", "http://[ff02::1]/", "http://[2001:db8::1]/", "http://[100::1]/",
        "http://[4000::1]/", "http://[3fff::1]/",
        // URLs in which two parsers see two hosts.
        "http://hooks.example.com@127.0.0.1/", "http://127.0.0.1@hooks.example.com/",
        "http://user:password@hooks.example.com/", "http://hooks.example.com\\@127.0.0.1/",
        "http://127.0.0.1\\.hooks.example.com/", "http://hooks.example.com#@127.0.0.1/",
        "http://127.0.0.1%2523@hooks.example.com/", "http://127.0.0.1%00.example.com/",
        "http://127。0。0。1/", "http://①②⑦.⓪.⓪.①/", "http://hooks.exämple.com/",
        "http://hooks example.com/", "http://hooks.example.com\r\nHost: x/", "http://hooks..com/",
        "http://.example.com/", "http://-a.example.com/", "http://a-.example.com/",
        "http://[::1/", "http://::1/", "http://[::1]x/", "http://[1::2::3]/", "http://[:::]/",
        "http://[1:2:3:4:5:6:7]/", "http://[1:2:3:4:5:6:7:8:9]/", "http://[12345::]/",
        "http://hooks.example.com:0/", "http://hooks.example.com:65536/",
        "http://hooks.example.com:80:80/", "http://hooks.example.com:/",
        "http://hooks.example.com:+80/", "http://hooks.example.com:８０/", "http://a.0x1/",
        "http://\(String(repeating: "a", count: 64)).com/",
        "http://\(String(repeating: "a.", count: 127))com/",
        "https://hooks.example.com/\(String(repeating: "a", count: 2000))",
    ]

    @Test(arguments: hostile)
    func `a hostile URL is refused when it is added`(_ url: String) {
        #expect(throws: WebhookRefusal.self) { try add(url) }
    }

    @Test func `there are enough of them, each another`() {
        #expect(Set(Self.hostile).count == Self.hostile.count && Self.hostile.count >= 100)
    }

    @Test(arguments: [
        "http://127.0.0.1:8080/", "http://10.1.2.3/", "http://192.168.1.1/", "http://[::1]:9/",
        "http://[fd12::1]/", "http://100.64.0.1/",
    ])
    func `a near address is taken where the admin allows it`(_ url: String) throws {
        #expect(try add(url, private: true).allowsPrivate)
    }

    @Test(arguments: [
        "http://169.254.169.254/", "http://[fd00:ec2::254]/", "http://100.100.100.200/",
        "http://0.0.0.0/", "http://[::]/", "http://224.0.0.1/", "http://[ff02::1]/",
        "http://169.254.1.1/", "http://[fe80::1]/", "http://[::ffff:10.0.0.1]/",
        "http://255.255.255.255/", "http://168.63.129.16/", "http://[64:ff9b::a00:1]/",
    ])
    func `what no notice should ever reach is refused even so`(_ url: String) {
        #expect(throws: WebhookRefusal.self) { try add(url, private: true) }
    }

    @Test(arguments: [
        ("https://hooks.slack.com/services/T0/B0/x", "https://hooks.slack.com/services/T0/B0/x"),
        ("HTTPS://Hooks.Example.COM", "https://hooks.example.com/"),
        ("https://hooks.example.com.:443/a?b=c", "https://hooks.example.com/a?b=c"),
        ("https://hooks.example.com:8443?q=1", "https://hooks.example.com:8443/?q=1"),
        ("http://93.184.216.34:80/", "http://93.184.216.34/"),
        (
            "https://[2606:2800:220:1:248:1893:25c8:1946]/x",
            "https://[2606:2800:220:1:248:1893:25c8:1946]/x",
        ),
        ("https://[2606:4700::1111]/", "https://[2606:4700:0:0:0:0:0:1111]/"),
        ("https://[64:ff9b::808:808]/", "https://[64:ff9b:0:0:0:0:808:808]/"),
        ("https://xn--exmple-cua.com/", "https://xn--exmple-cua.com/"),
        ("https://my_service.example.com/", "https://my_service.example.com/"),
    ])
    func `a good URL has one spelling`(_ given: String, _ kept: String) throws {
        #expect(try add(given).url.text == kept)
    }

    @Test func `what is shown of a URL keeps its path to itself`() throws {
        let webhook = try add("https://hooks.slack.com:8443/services/T0/B0/secret?token=x")
        #expect(webhook.url.shown == "https://hooks.slack.com:8443/…")
    }

    @Test func `plain HTTP must be allowed`() {
        var register = WebhookRegister()
        let draft = WebhookDraft(url: "http://hooks.example.com/", kind: .json, by: "a test")
        #expect(throws: WebhookRefusal.notSecure("http://hooks.example.com/")) {
            try register.add(draft, at: .now) { [UInt8](repeating: 7, count: $0) }
        }
    }

    @Test func `the document keeps a URL, and refuses one that was put into it by hand`() throws {
        let url = try add("https://hooks.example.com/a").url
        let bytes = try JSONEncoder().encode([url])
        #expect(try JSONDecoder().decode([WebhookURL].self, from: bytes) == [url])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([WebhookURL].self, from: Data(#"["http://127.1/"]"#.utf8))
        }
    }
}
