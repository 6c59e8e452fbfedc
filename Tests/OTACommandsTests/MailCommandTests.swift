import Foundation
import TestSupport
import Testing

/// E-mail from a server that the command line starts.
@Suite(.timeLimit(.minutes(10)))
struct MailCommandTests {
    @Test(.enabled(if: MailReceiver.python != nil, "aiosmtpd is missing: run scripts/tools"))
    func `the server sends e-mail by way of a mail server with TLS and a password`() async throws {
        try await Workplace.run { place in
            let folder = place.folder
            try await MailReceiver.run(in: folder, mode: "starttls") { receiver in
                try place.write(MailReceiver.password + "\n", to: "password")
                let options = [
                    "--smtp", "smtp://\(MailReceiver.host):\(receiver.port)",
                    "--smtp-from", "ota@example.com", "--smtp-user", MailReceiver.user,
                    "--smtp-password-file", "password", "--smtp-ca-file", "mail.pem",
                ]
                let readable = try await place.ota(["serve", "--port", "0"] + options)
                #expect(readable.status == 1)
                #expect(readable.errors.contains("other users of this machine can read"))
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600],
                    ofItemAtPath: place.path("password"),
                )
                let added = try await place.json(
                    "webhooks",
                    "add",
                    "ana@example.com",
                    "--kind",
                    "email",
                )
                let identifier = try #require(added["webhook"]["identifier"].string)
                #expect(added["webhook"]["url"].string == "mailto:ana@example.com")
                let local = try await place.ota("webhooks", "test", identifier)
                #expect(local.status == 1 && local.output.contains("--smtp"))
                try await place.serving(with: options) { server in
                    let test = try await place.ota(
                        ["webhooks", "test", identifier] + server.options
                    )
                    #expect(test.status == 0, "\(test.output)\(test.errors)")
                    let message = try #require(try receiver.messages.first)
                    #expect(message.tls && message.authenticated == true)
                    #expect(message.from == "ota@example.com")
                    #expect(message.to == ["ana@example.com"])
                }
            }
            for wrong in [
                ["--smtp", "smtp://a.example"], ["--smtp-from", "ota@example.com"],
                ["--smtp", "a.example", "--smtp-from", "ota@example.com"],
                ["--smtp", "smtp://a.example", "--smtp-from", "ota"],
                ["--smtp", "smtp://a.example", "--smtp-from", "o@a.example", "--smtp-user", "o"],
                [
                    "--smtp", "smtp://localhost", "--smtp-from", "o@a.example", "--smtp-user", "o",
                    "--smtp-password-file", "password",
                ],
            ] {
                #expect(try await place.ota(["serve"] + wrong).status == 64, "\(wrong)")
            }
        }
    }
}
