import Foundation
import TestSupport
import Testing

/// After all tests: no device is named in anything that their servers wrote for others to read.
@Suite(
    .enabled(
        if: Traces.kept != nil,
        "scripts/test keeps what the servers of all tests write, and searches it then",
    )
)
struct TraceTests {
    @Test func `no log, journal, metric, refusal or webhook of any test names a device`() throws {
        let folder = try #require(Traces.kept)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        var devices: Set<String> = []
        var count: [Traces.Kind: Int] = [:]
        for name in names where name.hasPrefix(Traces.Kind.register.rawValue) {
            let text = try text(of: name, in: folder)
            devices.formUnion(Self.words(in: text).filter { $0.count == 24 || $0.count == 40 })
            // That is also how git says that there is no commit.
            devices.remove(String(repeating: "0", count: 40))
        }
        for name in names {
            let kind = try #require(
                Traces.Kind.allCases.first { name.hasPrefix($0.rawValue) },
                "\(name)",
            )
            count[kind, default: 0] += 1
            guard kind != .register, kind != .secret else { continue }
            var text = try text(of: name, in: folder)
            if kind == .refusal { text = Self.withoutFields(text) }
            let named = Self.devices(named: text, of: devices)
            #expect(named.isEmpty, "\(name): \(named.map { "…" + $0.suffix(4) })")
        }
        print("searched for \(devices.count) devices:", count)
        #expect(devices.count > 100)
        for kind in Traces.Kind.allCases { #expect(count[kind, default: 0] > 0, "\(kind)") }
    }

    @Test func `no log, journal, metric, refusal or webhook of any test has a secret in it`()
        throws
    {
        let folder = try #require(Traces.kept)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        let isSecret = { (name: String) in name.hasPrefix(Traces.Kind.secret.rawValue) }
        var secrets: Set<String> = []
        for name in names where isSecret(name) {
            secrets.formUnion(Self.secrets(in: try text(of: name, in: folder)))
        }
        print("searched for \(secrets.count) lines of secrets")
        #expect(secrets.count > 10)
        for name in names where !isSecret(name) {
            let found = Self.secrets(secrets, in: try text(of: name, in: folder))
            #expect(found.isEmpty, "\(name) has \(found.count)")
        }
    }

    @Test func `the search finds a secret, and a token of an API`() throws {
        let file = """
            -----BEGIN CERTIFICATE-----
            MIIBpublicpublicpublicpublicpublicpublicpublicpublicpublicpublic
            -----END CERTIFICATE-----
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZ3VhcmQgdGhpcyBr
            ZXkgd2VsbA==
            -----END PRIVATE KEY-----
            """
        let secrets = Self.secrets(in: file)
        #expect(secrets.count == 1)
        for text in [
            "it was MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZ3VhcmQgdGhpcyBr",
            "Authorization: Bearer eyJhbGciOiJFUzI1NiIsImtpZCI6IjJYOVI0SFhGMzQifQ.x.y",
            "-----BEGIN PRIVATE KEY-----",
        ] {
            #expect(Self.secrets(secrets, in: text).count == 1)
        }
        #expect(Self.secrets(secrets, in: "MIIBpublicpublicpublicpublic").isEmpty)
    }

    @Test(arguments: [
        "udid=00008030-001a2b3c4d5e6f70", "x/00008030-001A2B3C4D5E6F70/y",
        "00008030001A2B3C4D5E6F70",
        "%7b00008030-001a2b3c4d5e6f70%7d", "deadbeef00008030-001a2b3c4d5e6f70",
        "0123456789abcdef0123456789abcdef01234567", "\"00008101-000000000000001E\"",
    ])
    func `the search finds a device that is named`(_ text: String) {
        let devices: Set = [
            "00008030001a2b3c4d5e6f70", "0123456789abcdef0123456789abcdef01234567",
        ]
        #expect(Self.devices(named: text, of: devices).count == 1)
    }

    private func text(of name: String, in folder: URL) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
    }

    /// Lines of private keys, and keys that are one line; certificates are no secrets.
    private static func secrets(in text: String) -> Set<String> {
        var isSecret = !text.contains("-----BEGIN")
        var secrets: Set<String> = []
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("-----BEGIN") {
                isSecret = line.contains("PRIVATE KEY")
            } else if isSecret, !line.hasPrefix("-----"), line.utf8.count >= 32 {
                secrets.insert(String(line))
            }
        }
        return secrets
    }

    /// Secrets that a text has: those known, the beginning of any private key, and that of any token as
    /// the App Store Connect API takes them.
    private static func secrets(_ secrets: Set<String>, in text: String) -> [String] {
        let beginnings = ["PRIVATE KEY-----", "eyJhbGciOiJFUzI1NiI"]
        return (beginnings + secrets).filter { text.contains($0) }
    }

    /// A refused form gives back what was typed to whoever typed it.
    private static func withoutFields(_ page: String) -> String {
        page.replacing(/<textarea[^>]*>[^<]*/, with: "").replacing(/\svalue="[^"]*"/, with: "")
    }

    /// Devices that a text names: those known, in any spelling, and whatever has the form of today's
    /// identifiers, eight digits and sixteen.
    private static func devices(named text: String, of devices: Set<String>) -> Set<String> {
        var named: Set<String> = []
        for word in words(in: text) {
            for length in [24, 40] where word.count >= length {
                for start in 0...(word.count - length) {
                    let part = String(word.dropFirst(start).prefix(length))
                    if devices.contains(part) { named.insert(part) }
                }
            }
        }
        for match in text.matches(
            of: /(?:^|[^0-9A-Fa-f-])([0-9A-Fa-f]{8}-[0-9A-Fa-f]{16})(?![0-9A-Fa-f-])/
        ) {
            named.insert(match.1.lowercased().replacing("-", with: ""))
        }
        return named
    }

    /// Runs of hexadecimal digits that are long enough, in lower case, hyphens left out.
    private static func words(in text: String) -> [String] {
        text.utf8.split { !(isDigit($0) || $0 == UInt8(ascii: "-")) }.compactMap { run in
            guard run.count >= 24 else { return nil }
            let digits = run.filter(isDigit)
            return digits.count >= 24
                ? String(decoding: digits, as: UTF8.self).lowercased() : nil
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
