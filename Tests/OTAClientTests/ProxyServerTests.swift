import APIDocuments
import Administration
import Foundation
import Problems
import Releases
import Testing

@testable import OTAClient

/// The proxy for a server according to the environment.
struct ProxyServerTests {
    private static func proxy(
        _ environment: [String: String],
        to server: String = "https://ota.example.com",
    ) throws -> ProxyServer? {
        try ProxyServer.leading(to: BaseURL(server), in: environment)
    }

    @Test(arguments: [
        ("http://proxy.example.com:3128", "http://proxy.example.com:3128"),
        ("proxy.example.com:3128", "http://proxy.example.com:3128"),
        ("HTTP://Proxy.Example.com:3128/", "http://proxy.example.com:3128"),
        ("http://proxy", "http://proxy:80"),
        ("proxy", "http://proxy:80"),
        ("http://proxy:443", "http://proxy:443"),
        ("https://proxy", "https://proxy:443"),
        ("https://proxy:8443", "https://proxy:8443"),
        ("http://[FD00::1]:3128", "http://[fd00::1]:3128"),
        ("http://[fd00::1]", "http://[fd00::1]:80"),
        ("http://10.0.0.1:3128", "http://10.0.0.1:3128"),
        (" http://proxy:3128\n", "http://proxy:3128"),
        ("ci:secret@proxy:3128", "http://proxy:3128"),
        ("http://ci:a@b@proxy:3128", "http://proxy:3128"),
    ])
    func `an address is read as people write it`(text: String, read: String) throws {
        let proxy = try #require(try Self.proxy(["HTTPS_PROXY": text]))
        #expect("\(proxy)" == read)
    }

    @Test(arguments: [
        ("http://ci:secret@proxy", "ci:secret"),
        ("http://ci@proxy", "ci:"),
        ("http://ci:@proxy", "ci:"),
        ("http://:secret@proxy", ":secret"),
        ("http://c%20i:p%40%3A%2f%25@proxy", "c i:p@:/%"),
        ("http://ci:a:b@proxy", "ci:a:b"),
        ("http://ci:p%C3%A4ss@proxy", "ci:päss"),
    ])
    func `name and password go to the proxy, and into no text`(text: String, pair: String) throws {
        let proxy = try #require(try Self.proxy(["HTTPS_PROXY": text]))
        #expect(proxy.credentials == Data(pair.utf8).base64EncodedString())
        let server = try BaseURL("https://ota.example.com")
        for failure in [
            ProxyFailure.refused(proxy, status: 407, server), .unreachable(proxy, reason: "x"),
            .refused(proxy, status: 403, server), .cut(proxy, server), .notUnderstood(proxy),
        ] {
            let told = "\(ServerFailure.proxy(failure)) \(failure.problem)"
            for word in [pair, "secret", "%40", proxy.credentials ?? ""] where !pair.isEmpty {
                // The fix shows by an example how characters are encoded.
                #expect(!told.replacing("%40 for @", with: "").contains(word), "\(told)")
            }
        }
    }

    @Test func `bytes that are no UTF-8 are the proxy's business`() throws {
        let proxy = try Self.proxy(["HTTPS_PROXY": "http://ci:%E4@proxy"])
        #expect(proxy?.credentials == Data(Array("ci:".utf8) + [0xE4]).base64EncodedString())
    }

    @Test func `an address without a name asks for none`() throws {
        #expect(try Self.proxy(["HTTPS_PROXY": "http://proxy"])?.credentials == nil)
        #expect(try Self.proxy(["HTTPS_PROXY": "http://@proxy"])?.credentials == nil)
    }

    @Test(arguments: [
        ("socks5://proxy:1080", ProxyServer.Flaw.socks), ("SOCKS5H://proxy", .socks),
        ("socks4://ci:hunter2@proxy", .socks),
        ("ftp://proxy", .scheme), ("://proxy", .scheme), ("hunter2://proxy", .scheme),
        ("http://", .host), ("http:///", .host), ("http://:3128", .host), ("/", .host),
        ("http://ci:hunter2@", .host), ("http://ci:hunter2@:3128", .host),
        ("http://pro_xy!", .host), ("http://[fd00::1", .host), ("http://[proxy]", .host),
        ("http://fd00::1", .port), ("http://proxy..example.com", .host),
        ("http://proxy:", .port), ("http://proxy:0", .port), ("http://proxy:65536", .port),
        ("http://proxy:+80", .port), ("http://proxy:http", .port), ("http://proxy:-1", .port),
        ("http://proxy:99999999999999999999", .port),
        ("http://ci:hun/ter2@proxy:3128", .path), ("http://ci:1/hunter2@proxy", .path),
        ("http://proxy/path", .path), ("http://proxy//", .path), ("http://proxy?x", .host),
        ("http://ci:hunter2%@proxy", .credentials), ("http://ci:hunter2%4@proxy", .credentials),
        ("http://ci:hunter2%zz@proxy", .credentials),
        ("http://ci:%+fhunter2@proxy", .credentials),
        ("http://c%3Ai:hunter2@proxy", .credentials),
        ("http://ci:hunter2%0D%0AX-Evil:%201@proxy", .credentials),
        ("http://ci:hunter2%00@proxy", .credentials),
        ("http://ci:hunter2\r\nX-Evil: 1@proxy", .characters),
        ("http://ci:hunter 2@proxy", .characters), ("http://ci:hünter2@proxy", .characters),
        ("http://proxy\u{7F}", .characters),
        ("http://ci:hunter2@" + String(repeating: "p", count: 5000), .characters),
        ("http://" + String(repeating: "p", count: 64), .host),
    ])
    func `what is no address is refused without showing it`(
        text: String,
        flaw: ProxyServer.Flaw,
    )
        throws
    {
        let failure = #expect(throws: ServerFailure.self) {
            try Self.proxy(["https_proxy": text])
        }
        #expect(failure == .proxy(.unusable(variable: "https_proxy", flaw)))
        let told = try #require(failure?.problem)
        #expect(told.id == (flaw == .socks ? "proxy.unsupported" : "proxy.malformed"))
        #expect(told.place == "https_proxy" && !told.fix.isEmpty)
        #expect(!"\(told) \(try #require(failure))".contains("hunter"))
        // A client that bypasses the proxy does not need it either.
        #expect(try Self.proxy(["https_proxy": text, "no_proxy": "*"]) == nil)
    }

    @Test func `every damage of an address is an address or refused`() throws {
        let text = Array("http://ci:hunter2@[fd00::1]:3128/".utf8)
        let server = try BaseURL("https://ota.example.com")
        for count in text.indices {
            for byte in [nil, UInt8(ascii: ":"), 0x40, 0x25, 0x2F, 0x5B, 0x20, 0x00, 0xFF] {
                let rest = byte.map { [$0] + text[(count + 1)...] } ?? []
                let damaged = Array(text[..<count]) + rest
                let value = String(decoding: damaged, as: UTF8.self)
                do throws(ServerFailure) {
                    _ = try ProxyServer.leading(to: server, in: ["HTTPS_PROXY": value])
                } catch {
                    #expect(!error.problem.message.contains("hunter2"))
                }
            }
        }
    }

    @Test func `the nearest variable that has a value counts`() throws {
        var environment = [
            "ALL_PROXY": "d", "all_proxy": "c", "HTTPS_PROXY": "b", "https_proxy": "a",
        ]
        for (variable, name) in [
            ("https_proxy", "a"), ("HTTPS_PROXY", "b"), ("all_proxy", "c"), ("ALL_PROXY", "d"),
        ] {
            let proxy = try Self.proxy(environment)
            #expect(proxy?.host == name && proxy?.variable == variable)
            environment[variable] = " "
        }
        #expect(try Self.proxy(environment) == nil)
        #expect(try Self.proxy(["HTTP_PROXY": "a", "http_proxy": "a"]) == nil)
        let both = ["HTTPS_PROXY": "a", "no_proxy": "other.example.com", "NO_PROXY": "*"]
        #expect(try Self.proxy(both)?.host == "a")
        #expect(try Self.proxy(["HTTPS_PROXY": "a", "no_proxy": "", "NO_PROXY": "*"]) == nil)
    }

    @Test(arguments: [
        ("*", "ota.example.com"), ("other, *", "ota.example.com"),
        ("ota.example.com", "ota.example.com"), ("OTA.Example.COM", "ota.example.com"),
        ("example.com", "ota.example.com"), (".example.com", "ota.example.com"),
        (".example.com", "example.com"), ("*.example.com", "ota.example.com"),
        ("example.com.", "ota.example.com"), ("com", "ota.example.com"),
        ("a,b example.com\tc", "ota.example.com"), (",, ,example.com,", "ota.example.com"),
        ("example.com:443", "ota.example.com"), ("example.com:8443", "ota.example.com:8443"),
        (".example.com:8443", "ota.example.com:8443"), ("localhost", "localhost:8443"),
        ("127.0.0.1", "127.0.0.1:8443"), ("127.0.0.1:8443", "127.0.0.1:8443"),
        ("10.0.0.0/8", "10.1.2.3"), ("10.1.2.0/23", "10.1.3.9"), ("10.1.2.3/32", "10.1.2.3"),
        ("0.0.0.0/0", "192.0.2.1"), ("10.0.0.0/8:443", "10.1.2.3"),
        ("fd00::1", "[fd00::1]"), ("[fd00::1]", "[FD00:0:0::1]"),
        ("[fd00::1]:8443", "[fd00::1]:8443"),
        ("fd00::/8", "[fdab::7]:8443"), ("fe80::/10", "[febf::1]"), ("[fd00::]/8", "[fd12::1]"),
    ])
    func `what is listed is reached without`(list: String, server: String) throws {
        let environment = ["HTTPS_PROXY": "proxy", "NO_PROXY": list]
        #expect(try Self.proxy(environment, to: "https://\(server)") == nil)
    }

    @Test(arguments: [
        ("", "ota.example.com"), ("ota.example.co", "ota.example.com"),
        ("ample.com", "ota.example.com"), ("ota.example.com", "example.com"),
        ("x.ota.example.com", "ota.example.com"), (".", "ota.example.com"),
        ("*.", "ota.example.com"),
        ("*ota.example.com", "ota.example.com"), ("ota.*", "ota.example.com"),
        ("..example.com", "ota.example.com"), ("https://ota.example.com", "ota.example.com"),
        ("example.com:8443", "ota.example.com"), ("example.com:443", "ota.example.com:8443"),
        ("example.com:", "ota.example.com"), ("example.com:99999", "ota.example.com"),
        ("*:8443", "ota.example.com:8443"), ("ota.example.com;x", "ota.example.com"),
        // This machine is not exempt.
        ("", "localhost:8443"), ("", "127.0.0.1:8443"), ("", "[::1]:8443"),
        ("localhost", "127.0.0.1"), ("127.0.0.1", "localhost"),
        ("10.0.0.0/8", "11.0.0.1"), ("10.1.2.0/23", "10.1.4.1"), ("10.0.0.0/33", "10.0.0.0"),
        ("10.0.0.0/-1", "10.0.0.0"), ("10.0.0.0/+8", "10.0.0.0"), ("10.0.0.0/", "10.0.0.0"),
        ("10.0.0.0/8/8", "10.0.0.0"), ("10.0.0.0/٨", "10.0.0.0"), ("/8", "10.0.0.0"),
        ("10.0.0.0/99999999999999999999", "10.0.0.0"), ("0.0.0.1", "10.0.0.1"),
        ("0.0.0.0/0", "[fd00::1]"), ("::/0", "10.0.0.1"), ("10.0.0.0/8", "10.example.com"),
        ("fd00::/8", "[fe00::1]"), ("fd00::/129", "[fd00::1]"), ("[fd00::1", "[fd00::1]"),
    ])
    func `what is not listed is not`(list: String, server: String) throws {
        let environment = ["HTTPS_PROXY": "proxy", "NO_PROXY": list]
        #expect(try Self.proxy(environment, to: "https://\(server)") != nil)
    }
}
