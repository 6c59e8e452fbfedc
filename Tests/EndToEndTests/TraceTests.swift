import Foundation
import TestSupport
import Testing

/// Runs after all tests: nothing that their servers wrote for others to read contains a device identifier or
/// a secret.
@Suite(
    .enabled(
        if: Traces.kept != nil,
        "scripts/test keeps what the servers of all tests write, and searches it then",
    )
)
struct TraceTests {
    @Test func `no log, journal, metric, refusal or webhook of any test names a device`() throws {
        let folder = try #require(Traces.kept)
        let traces = try Traces.names(in: folder)
        let registers = traces.filter { $0.kind == .register }
        let search = DeviceSearch(of: try registers.map { try bytes(of: $0.name, in: folder) })
        var count: [Traces.Kind: Int] = [:]
        for trace in traces {
            let kind = try #require(trace.kind, "\(trace.name)")
            count[kind, default: 0] += 1
            guard kind != .register, kind != .secret else { continue }
            var bytes = try bytes(of: trace.name, in: folder)
            if kind == .refusal { bytes = Traces.withoutFields(bytes) }
            let named = search.found(in: bytes)
            #expect(named.isEmpty, "\(trace.name): \(named.map { "…" + $0.suffix(4) })")
        }
        print("searched for \(search.devices.count) devices:", count)
        #expect(search.devices.count > 100)
        for kind in Traces.Kind.allCases { #expect(count[kind, default: 0] > 0, "\(kind)") }
    }

    @Test func `no log, journal, metric, refusal or webhook of any test has a secret in it`()
        throws
    {
        let folder = try #require(Traces.kept)
        let traces = try Traces.names(in: folder)
        var secrets: Set<String> = []
        for trace in traces where trace.kind == .secret {
            let text = String(decoding: try bytes(of: trace.name, in: folder), as: UTF8.self)
            secrets.formUnion(Traces.secrets(in: text))
        }
        print("searched for \(secrets.count) lines of secrets")
        #expect(secrets.count > 10)
        let search = Traces.search(for: secrets)
        for trace in traces where trace.kind != .secret {
            let found = search.found(in: try bytes(of: trace.name, in: folder))
            #expect(found.isEmpty, "\(trace.name) has \(found.count)")
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
        let secrets = Traces.secrets(in: file)
        #expect(secrets.count == 1)
        let search = Traces.search(for: secrets)
        for text in [
            "it was MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZ3VhcmQgdGhpcyBr",
            "Authorization: Bearer eyJhbGciOiJFUzI1NiIsImtpZCI6IjJYOVI0SFhGMzQifQ.x.y",
            "-----BEGIN PRIVATE KEY-----",
        ] {
            // At any alignment.
            for before in 0..<9 {
                let shifted = String(repeating: ".", count: before) + text
                #expect(search.found(in: Array(shifted.utf8)).count == 1, "\(before) \(text)")
            }
        }
        #expect(search.found(in: Array("MIIBpublicpublicpublicpublic".utf8)).isEmpty)
        #expect(search.found(in: []).isEmpty)
    }

    @Test(arguments: [
        "Zm9v/YmFy+c2VjcmV0c2VjcmV0c2VjcmV0c2U=",
        "{\"key\":\"Zm9v\\/YmFy+c2VjcmV0c2VjcmV0c2VjcmV0c2U=\"}",
        "?key=Zm9v%2FYmFy%2Bc2VjcmV0c2VjcmV0c2VjcmV0c2U%3D",
        "?key=Zm9v%2fYmFy%2bc2VjcmV0c2VjcmV0c2VjcmV0c2U%3d",
    ])
    func `the search finds a secret as JSON and addresses write it`(_ text: String) {
        let search = Traces.search(for: ["Zm9v/YmFy+c2VjcmV0c2VjcmV0c2VjcmV0c2U="])
        #expect(search.found(in: Array(text.utf8)).count == 1)
    }

    @Test(arguments: [
        "udid=00008030-001a2b3c4d5e6f70", "x/00008030-001A2B3C4D5E6F70/y",
        "00008030001A2B3C4D5E6F70",
        "%7b00008030-001a2b3c4d5e6f70%7d", "deadbeef00008030-001a2b3c4d5e6f70",
        "0123456789abcdef0123456789abcdef01234567", "\"00008101-000000000000001E\"",
    ])
    func `the search finds a device that is named`(_ text: String) {
        let search = DeviceSearch([
            "00008030001a2b3c4d5e6f70", "0123456789abcdef0123456789abcdef01234567",
        ])
        #expect(search.found(in: Array(text.utf8)).count == 1)
    }

    @Test func `the search takes devices from a register, and commits for none`() {
        let register = """
            {"devices": [{"udid": "00008030-001A2B3C4D5E6F70"},
              {"udid": "0123456789abcdef0123456789abcdef01234567"},
              {"commit": "0000000000000000000000000000000000000000"}]}
            """
        let search = DeviceSearch(of: [Array(register.utf8)])
        #expect(
            search.devices == [
                "00008030001a2b3c4d5e6f70", "0123456789abcdef0123456789abcdef01234567",
            ]
        )
        let other = "a digest: 6f70fedcba9876543210fedcba9876543210fedcba9876543210fedcba987654"
        #expect(search.found(in: Array(other.utf8)).isEmpty)
    }

    @Test func `what a refused form gives back is left out`() {
        let page = """
            <p title="kept"><input name="udid" value="00008030-001A2B3C4D5E6F70">
            <textarea name="list">00008030-001A2B3C4D5E6F70
            second</textarea> after
            """
        let kept = String(decoding: Traces.withoutFields(Array(page.utf8)), as: UTF8.self)
        #expect(kept == "<p title=\"kept\"><input name=\"udid\">\n</textarea> after")
    }

    private func bytes(of name: String, in folder: URL) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }
}
