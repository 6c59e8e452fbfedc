import HTTPServing
import Testing

/// The values of `--allow-host` and `--trusted-proxy`.
struct ServedHostTests {
    @Test(arguments: [
        ("ota.example.com", "ota.example.com"), ("OTA.Example.com.", "ota.example.com"),
        ("build-1", "build-1"), ("my_host.lan", "my_host.lan"), ("*.example.org", "*.example.org"),
        ("*.lan", "*.lan"),
        ("xn--mnchen-3ya.example", "xn--mnchen-3ya.example"), ("192.168.1.10", "192.168.1.10"),
        ("fd00:0:0::1", "fd00::1"), ("[FD00::1]", "fd00::1"),
    ])
    func `a host is taken as requests name it`(text: String, name: String) throws {
        #expect(try ServedHost(text).name == name)
        let asked =
            name.contains(":") ? "[\(name)]:8443" : name.replacing("*", with: "a") + ":8443"
        #expect(HostNames([name]).allow(asked))
    }

    @Test func `a letter that only becomes ASCII in lower case names another host`() {
        let names = HostNames(["kube.example.org", "*.lan"])
        #expect(names.allow("Kube.example.org"))
        #expect(!names.allow("\u{212A}ube.example.org"))
        #expect(!names.allow("a.lan\u{301}"))
    }

    @Test(arguments: [
        ("", WrongHost.empty), ("a b", .characters), ("münchen.example", .characters),
        ("a\u{7}", .characters), ("https://ota.example.com", .scheme),
        ("ota.example.com/x", .path),
        ("ota.example.com?x", .path), ("ota.example.com:8443", .port), ("[fd00::1]:8443", .port),
        ("1.2.3.4:80", .port), ("*", .wildcard), ("a.*.org", .wildcard),
        ("a*.example.org", .wildcard), (".", .name), ("a..b", .name), ("-a", .name),
        ("a-.b", .name),
        ("1.2.3.4.5", .name), ("256.1.1.1", .name), ("user@host", .name), ("[1.2.3.4]", .name),
        (String(repeating: "a", count: 64), .name),
        (Array(repeating: "aaaaaaa", count: 40).joined(separator: "."), .name),
    ])
    func `what is no host is refused with what is wrong`(text: String, reason: WrongHost) {
        #expect(throws: reason) { try ServedHost(text) }
        #expect("\(reason)".contains("such as ota.example.com"))
    }

    @Test(arguments: [
        ("203.0.113.9:4711", "203.0.113.9"), ("[2001:db8::1]:4711", "2001:db8::1"),
        ("2001:DB8:0::1", "2001:db8::1"), ("203.0.113.9, 10.0.0.7:99", "203.0.113.9"),
        ("unknown", "10.0.0.7"), ("_hidden, x:1", "10.0.0.7"), ("", "10.0.0.7"),
    ])
    func `a client counts by its address, whatever a proxy adds to it`(
        field: String,
        address: String,
    ) throws {
        let proxies = try ProxyAddress("10.0.0.7").spellings
        #expect(
            ClientAddress.of(peer: "10.0.0.7", forwardedFor: field, proxies: proxies) == address
        )
    }

    @Test func `a proxy counts by its address, however connections tell it`() throws {
        #expect(try ProxyAddress("10.0.0.7").spellings == ["10.0.0.7", "::ffff:10.0.0.7"])
        #expect(try ProxyAddress("FD00:0::0:1").spellings == ["fd00::1"])
        for peer in ["10.0.0.7", "::ffff:10.0.0.7"] {
            let client = ClientAddress.of(
                peer: peer,
                forwardedFor: "6.6.6.6, 203.0.113.9",
                proxies: try ProxyAddress("10.0.0.7").spellings,
            )
            #expect(client == "203.0.113.9")
        }
    }

    /// U+0600 merges with the comma that the proxy adds, which left a single, invalid address.
    @Test(arguments: ["6.6.6.6\u{600}, 203.0.113.9", "6.6.6.6,\u{301}, 203.0.113.9"])
    func `what a client sends joins with nothing that a proxy adds`(forwardedFor: String) {
        let client = ClientAddress.of(
            peer: "10.0.0.7",
            forwardedFor: forwardedFor,
            proxies: ["10.0.0.7"],
        )
        #expect(client == "203.0.113.9")
    }

    @Test(arguments: [
        ("", WrongProxyAddress.notAnAddress), ("proxy.example", .notAnAddress),
        ("10.0.0", .notAnAddress), ("10.0.0.7:80", .notAnAddress), (" 10.0.0.7", .notAnAddress),
        ("[fd00::1]", .notAnAddress), ("fe80::1%eth0", .notAnAddress), ("10.0.0.0/8", .block),
        ("http://10.0.0.7", .notAnAddress), ("/", .notAnAddress),
    ])
    func `what is no address of a proxy is refused`(text: String, reason: WrongProxyAddress) {
        #expect(throws: reason) { try ProxyAddress(text) }
        #expect("\(reason)".contains("such as 127.0.0.1"))
    }
}
