import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import OTACommands

/// Invalid values on the command line: the errors say what is wrong, and what is allowed.
@Suite(.timeLimit(.minutes(10)))
struct OptionValueTests {
    @Test(arguments: [
        (["--trusted-proxy", "nonsense"], "it is not an IP address; give the one"),
        (["--trusted-proxy", ""], "it is not an IP address"),
        (["--trusted-proxy", "10.0.0.0/8"], "give single addresses, such as 127.0.0.1"),
        (["--allow-host", "https://ota.example.com"], "it has a scheme; give only a host name"),
        (["--allow-host", "ota.example.com:8443"], "it has a port, but only hosts are compared"),
        (["--allow-host", "ota.example.com/x"], "it has a path"),
        (["--allow-host", "ota example"], "it has a space"),
        (["--allow-host", ""], "it is empty"),
        (["--allow-host", "*"], "such as ota.example.com, *.example.org or 192.168.1.10"),
        (["--host", ""], "--host must be an address or name of this machine"),
        (
            ["--host", "https://ota.example.com"],
            "--host must be an address or name of this "
                + "machine",
        ),
        (["--port=-1"], "--port must be from 0 to 65535"),
        (["--plain-port", "65536"], "--plain-port must be from 0 to 65535"),
        (["--port", "8080"], "give --port and --plain-port different values"),
        (["--max-upload-mb", "0"], "--max-upload-mb must be from 1 to 1,000,000 megabytes"),
        (["--reserve-mb=-1"], "--reserve-mb must be from 0 to 1,000,000,000 megabytes"),
        (["--base-url", "http://ota.example.com"], "must begin with https://"),
        (["--base-url", ""], "must begin with https://"),
        (["--link-lifetime", "1x"], "it must be a number up to 10000 and a unit"),
        (["--link-lifetime", "59m"], "--link-lifetime must be 1h or more"),
        (["--certificate", "", "--private-key", "x"], "--certificate is empty"),
        (["--certificate", "x", "--private-key", ""], "--private-key is empty"),
        (["--assets", ""], "--assets is empty"),
        (["--trusted-device-ca", ""], "--trusted-device-ca is"),
        (["--store", ""], "--store is empty"),
    ])
    func `serve does not start with nonsense, and says what it wants`(
        options: [String],
        message: String,
    ) throws {
        let error = try #require(refusal(of: ["serve"] + options))
        #expect(OTA.exitCode(for: error) == .validationFailure)
        #expect(OTA.message(for: error).contains(message), "\(OTA.message(for: error))")
    }

    @Test(arguments: [
        (["devices", "slots", "--renews", "2027-02-30"], "a day such as 2027-03-14"),
        (["devices", "slots", "--renews", "2027-02-30T12:00:00Z"], "a day such as 2027-03-14"),
        (["devices", "slots", "--renews", "2027-3-4"], "a day such as 2027-03-14"),
        (["doctor", "https://ota.example.com", "--cut-at=-1"], "--cut-at"),
        (["doctor", "https://ota.example.com", "--save-ipa", "/nope/app.ipa"], "no folder /nope"),
        (["doctor", "https://ota.example.com", "--save-ipa", "/tmp"], "is a folder"),
        (
            [
                "releases", "verify", "--statement", "a", "--key", "b", "--ipa", "c", "--export",
                "d",
            ], "--export and --export-key need",
        ),
        (["store", "restore", "ota.tar", "--empty"], "--empty needs a --document"),
    ])
    func `a value that would have no effect is refused`(words: [String], message: String) throws {
        let error = try #require(refusal(of: words))
        #expect(OTA.exitCode(for: error) == .validationFailure)
        #expect(OTA.message(for: error).contains(message), "\(OTA.message(for: error))")
    }

    @Test func `serve takes what makes sense`() throws {
        let parsed = try OTA.parseAsRoot([
            "serve", "--trusted-proxy", "127.0.0.1", "--trusted-proxy", "FD00::1", "--allow-host",
            "OTA.example.com", "--allow-host", "*.example.org", "--allow-host", "[::1]", "--port",
            "0",
            "--plain-port", "0", "--host", "::", "--base-url", "https://ota.example.com/x",
        ])
        let serve = try #require(parsed as? ServeCommand)
        let proxies = serve.trustedProxy.map { "\($0)" }
        #expect(proxies.count == 2 && proxies[1].contains(#""fd00::1""#))
        let hosts = serve.alsoHost.map { "\($0)" }
        #expect(hosts.count == 3 && hosts[0].contains(#""ota.example.com""#))
        #expect(throws: Never.self) {
            try OTA.parseAsRoot(["serve", "--port", "8080", "--no-plain"])
        }
    }

    @Test(arguments: [
        (["devices", "add", "short"], "it must be a UDID: 40 hexadecimal digits"),
        (["devices", "add", ""], "it must be a UDID"),
        (["devices", "approve", "x"], "it must be a UDID"),
        (["validate", "a.ipa", "--os", "x"], "it must be a version such as 18.1"),
        (["validate", "a.ipa", "--at", "x"], "it must be a day such as 2027-03-14"),
        (["validate", "a.ipa", "--channel", "A b"], "it must be a channel name: 1 to 63 of a-z"),
        (["publish", "a.ipa", "--channel", ""], "it must be a channel"),
        (["releases", "promote", "a", "1", "--channel", "\u{1B}"], "it must be a channel"),
        (["apps", "set", "a", "--slug", "A"], "it must be a URL name: 1 to 63 of a-z"),
        (
            ["apps", "set", "a", "--access", "all"],
            "open, passphrase, enrolled, sign-in, or groups:",
        ),
        (["tokens", "create", "--name", "a", "--scope", "read", "--expires", "x"], "and a unit"),
        (["webhooks", "add", "https://a.example/", "--events", "x"], "must be one of"),
        (
            ["webhooks", "add", "https://a.example/", "--kind", "x"],
            "- custom",
        ),
        (["mirror", "add", "a", "https://a.example/a.git", "--tag", "a b"], "such as v* or"),
        (["mirror", "build", "a", "--commit", "HEAD"], "40 or 64 hexadecimal digits"),
    ])
    func `a value that is none says what would be one`(
        arguments: [String],
        message: String,
    ) throws {
        let error = try #require(refusal(of: arguments))
        #expect(OTA.exitCode(for: error) == .validationFailure)
        #expect(OTA.message(for: error).contains(message), "\(OTA.message(for: error))")
    }

    @Test func `what was typed is not said back at length, or as it steers a terminal`()
        async throws
    {
        let long = String(repeating: "x", count: 10 << 10)
        try await Workplace.run { place in
            for arguments in [
                ["devices", "add", long], ["devices", "add", "a\u{1B}[31mb"],
                ["apps", "set", "a", "--slug=" + long], [long], ["--" + long],
                ["serve", "--allow-host", "a\u{1B}[31mb"], ["serve", "--trusted-proxy", long],
                ["serve", "--allow-host", "\u{301}\u{1B}[31m"],
                ["validate", "a.ipa", "--model", long],
            ] {
                let outcome = try await place.ota(arguments)
                #expect(outcome.status == 64, "\(outcome.errors.prefix(300))")
                #expect(outcome.errors.utf8.count < 2500)
                #expect(!outcome.errors.unicodeScalars.contains("\u{1B}"))
            }
            // A line break in a value does not affect the line breaks of the error.
            let broken = try await place.ota(["serve", "--allow-host", "\n"])
            #expect(broken.status == 64 && broken.errors.contains("\n  fix  "), "\(broken.errors)")
        }
    }

    @Test func `names that show nothing, steer or never end are refused with their bounds`()
        async throws
    {
        let udid = "00008120-000A1B2C3D4E5F67"
        try await Workplace.run { place in
            _ = try await place.json("tokens", "create", "--name", "first", "--scope", "read")
            for name in [
                "", "  ", "\u{A0}", "a\nb", "a\u{1B}[31mb", "a\u{202E}b", "\u{200B}",
                String(repeating: "x", count: 10 << 10),
            ] {
                for (arguments, wanted) in [
                    (["tokens", "create", "--scope", "read", "--name", name], "1 to 60 printa"),
                    (["devices", "add", udid, "--name", name], "1 to 50 printable"),
                    (["devices", "add", udid, "--model", name], "a product type such as"),
                    (
                        ["devices", "invite", "--base-url", "https://a.example", "--name", name],
                        "1 to 50 printable",
                    ),
                    (
                        ["tokens", "create", "--name", "a", "--scope", name],
                        "is not a token scope",
                    ),
                    (
                        ["mirror", "add", "--no-sync", "--", name, "https://a.example/a.git"],
                        "lower-case letters, digits",
                    ),
                    (["mirror", "add", "--no-sync", "--", "a", name], "the address "),
                    (["webhooks", "add", "--kind", "json", "--", name], "the URL "),
                ] {
                    let outcome = try await place.ota(arguments)
                    let what: Comment = "\(arguments[0]) \(wanted): \(outcome.errors.prefix(300))"
                    // A value that the argument parser itself rejects is wrong usage.
                    #expect([1, 64].contains(outcome.status) && outcome.output.isEmpty, what)
                    #expect(outcome.errors.contains(wanted), what)
                    #expect(outcome.errors.utf8.count < 2500, what)
                    #expect(!outcome.errors.contains("\u{1B}"), what)
                }
            }
            #expect(try await place.json("devices", "list")["devices"].items.isEmpty)
            #expect(try await place.json("tokens", "list")["tokens"].items.count == 1)
        }
    }

    @Test func `an empty variable makes no store of the folder that one is in`() async throws {
        try await Workplace.run { place in
            let made = try await place.ota(
                ["devices", "add", "00008120-000A1B2C3D4E5F67"],
                environment: ["OTA_STORE": ""],
            )
            #expect(made.status == 0, "\(made.errors)")
            #expect(place.isThere("ota-store/store.json") && !place.isThere("store.json"))
        }
    }

    private func refusal(of arguments: [String]) -> (any Error)? {
        do {
            _ = try OTA.parseAsRoot(arguments)
            return nil
        } catch {
            return error
        }
    }
}
