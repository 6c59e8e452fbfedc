import Foundation
import NIOSSL
import Notices
import Releases
import Store
import TestSupport
import Testing

/// Notices by e-mail, sent to a real mail server and to some that misbehave.
@Suite(.timeLimit(.minutes(5)))
struct MailTests {
    private static let isThere = MailReceiver.python != nil
    private static let from = MailAddress("ota@example.com")

    /// Sends a notice about a device with a name, and returns the state of the delivery.
    private static func send(
        _ desk: NoticeDesk,
        by receiver: MailReceiver,
        _ scheme: String,
        to address: String = "ana@example.com",
        naming name: String = "Ana's phone",
        password: String = MailReceiver.password,
        host: String = MailReceiver.host,
        trusts: Bool = true,
    ) async throws -> (delivered: DeliveryRecord?, waiting: Delivery?) {
        try desk.addWebhook(address, kind: .email) { $0.secret = nil }
        if try desk.store.notices() == NoticeLedger() { try desk.service().announce() }
        try desk.store.record(
            Activity(date: desk.now, actor: "enrolment", event: .deviceEnrolled, subject: name)
        )
        try desk.service().announce()
        let certificate = desk.folder.appending(path: "mail.pem").path()
        var policy = DeliveryPolicy.quick
        policy.mailTimeout = .seconds(8)
        let url = try #require(MailServerURL("\(scheme)://\(host):\(receiver.port)"))
        let server = MailServer(
            url,
            from: try #require(from),
            login: url.security == .none
                ? nil : MailLogin(user: MailReceiver.user, password: password),
            authorities: trusts ? try NIOSSLCertificate.fromPEMFile(certificate) : [],
        )
        try await desk.sendOnce(with: desk.service(policy: policy, mail: server))
        let outbox = try desk.store.notices().outbox
        return (outbox.log.last, outbox.waiting.last)
    }

    @Test(
        .enabled(if: isThere, "aiosmtpd is missing: run scripts/tools"),
        arguments: [("starttls", "smtp"), ("login", "smtp"), ("implicit", "smtps")],
    )
    func `a notice arrives over TLS with a password`(mode: String, scheme: String) async throws {
        try await NoticeDesk.run { desk in
            try await MailReceiver.run(in: desk.folder, mode: mode) { receiver in
                let name = "Zoë's phone \r\nBcc: evil@example.com 📱 "
                let sent = try await Self.send(desk, by: receiver, scheme, naming: name)
                #expect(sent.waiting == nil, "\(sent.waiting?.failure ?? "")")
                #expect(sent.delivered?.outcome == .delivered)
                #expect(sent.delivered?.status == 250)
                let message = try #require(try receiver.messages.first)
                #expect(try receiver.messages.count == 1)
                #expect(message.tls && message.authenticated == true)
                #expect(message.from == "ota@example.com" && message.to == ["ana@example.com"])
                let parts = message.content.components(separatedBy: "\r\n\r\n")
                let head = try #require(parts.first)
                #expect(head.contains("To: <ana@example.com>\r\n"))
                #expect(head.contains("Auto-Submitted: auto-generated"))
                #expect(head.contains("X-Ota-Event: device.enrolled"))
                #expect(!head.lowercased().contains("\nbcc"))
                #expect(head.utf8.allSatisfy { $0 < 0x80 })
                #expect(head.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 78 })
                let body = parts.dropFirst().joined()
                let text = try #require(
                    Data(base64Encoded: body, options: .ignoreUnknownCharacters)
                )
                #expect(String(decoding: text, as: UTF8.self).contains("Zoë's phone"))
                #expect(String(decoding: text, as: UTF8.self).contains("/admin/devices"))
                try await Self.check(message.content, in: desk.folder)
            }
        }
    }

    /// Another e-mail parser reads the same.
    private static func check(_ content: String, in folder: URL) async throws {
        let python = try #require(WebhookReceiver.python)
        let script = """
            import email, email.policy, sys
            m = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
            assert not m.defects, m.defects
            assert m["bcc"] is None
            assert "Zo\u{EB}'s phone" in m["subject"], m["subject"]
            assert "Zo\u{EB}'s phone" in m.get_content()
            assert m["date"].datetime.utcoffset().total_seconds() == 0
            """
        let outcome = try await python.run(
            ["-c", script],
            input: content,
            environment: ["PYTHONUTF8": "1"],
            in: folder,
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test(.enabled(if: isThere, "aiosmtpd is missing: run scripts/tools"))
    func `a server on this machine is spoken to without TLS`() async throws {
        try await NoticeDesk.run { desk in
            try await MailReceiver.run(in: desk.folder, mode: "plain", host: "127.0.0.1") {
                let sent = try await Self.send(desk, by: $0, "smtp", host: "127.0.0.1")
                #expect(sent.delivered?.outcome == .delivered)
                #expect(try $0.messages.first?.tls == false)
            }
        }
    }

    @Test(.enabled(if: isThere, "aiosmtpd is missing: run scripts/tools"))
    func `an address that is refused for good is given up, and else it is tried again`()
        async throws
    {
        try await NoticeDesk.run { desk in
            try await MailReceiver.run(in: desk.folder, mode: "starttls") { receiver in
                let gone = try await Self.send(
                    desk,
                    by: receiver,
                    "smtp",
                    to: "nobody@example.com",
                )
                #expect(gone.waiting == nil)
                #expect(gone.delivered?.outcome == .failed)
                let reason = "the mail server answered RCPT TO with 550 5.1.1 there is no such user"
                #expect(gone.delivered?.reason == reason)
                #expect(gone.delivered?.status == nil)
                try desk.store.changeWebhooks { register in
                    for webhook in register.webhooks { try register.remove(webhook.identifier) }
                }
                let later = try await Self.send(
                    desk,
                    by: receiver,
                    "smtp",
                    to: "later@example.com",
                )
                #expect(later.waiting?.attempts == 1)
                #expect(later.waiting?.failure?.contains("451 4.3.0") == true)
            }
        }
    }

    @Test(.enabled(if: isThere, "aiosmtpd is missing: run scripts/tools"))
    func `a wrong password, and a certificate that nobody knows, send nothing`() async throws {
        try await NoticeDesk.run { desk in
            try await MailReceiver.run(in: desk.folder, mode: "starttls") { receiver in
                let wrong = try await Self.send(desk, by: receiver, "smtp", password: "wrong")
                #expect(
                    wrong.waiting?.failure?.contains("AUTH with 535") == true,
                    "\(wrong.waiting?.failure ?? "nothing waits")",
                )
                #expect(wrong.waiting?.failure?.contains("wrong") == false)
                desk.advance(days: 1)
                try desk.store.changeWebhooks { register in
                    for webhook in register.webhooks { try register.remove(webhook.identifier) }
                }
                let unknown = try await Self.send(desk, by: receiver, "smtp", trusts: false)
                // Which side reports the error first depends on the system.
                let failure = unknown.waiting?.failure ?? ""
                #expect(
                    failure.hasPrefix("its certificate is not from")
                        || failure.hasPrefix("TLS failed"),
                    "\(failure)",
                )
                #expect(try receiver.messages.isEmpty)
            }
        }
    }

    @Test(
        .enabled(if: isThere, "aiosmtpd is missing: run scripts/tools"),
        arguments: [
            ("notls", "offers no STARTTLS"), ("inject", "more than its answer to STARTTLS"),
            ("endless", "not SMTP"), ("lines", "not SMTP"), ("garbage", "not SMTP"),
            ("silent", "did not accept the message within"),
        ],
    )
    func `a server that misbehaves is given no password, and no time`(
        mode: String,
        reason: String,
    ) async throws {
        try await NoticeDesk.run { desk in
            try await MailReceiver.run(in: desk.folder, mode: mode) { receiver in
                let began = ContinuousClock.now
                let sent = try await Self.send(desk, by: receiver, "smtp")
                let failure = try #require(sent.waiting?.failure)
                #expect(failure.contains(reason), "\(failure)")
                #expect(ContinuousClock.now - began < .seconds(20))
                let lines = try receiver.messages.map(\.from)
                #expect(lines.allSatisfy { $0.hasPrefix("EHLO") || $0 == "STARTTLS" }, "\(lines)")
            }
        }
    }

    @Test func `without a mail server, e-mail says so`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook("mailto:ana@example.com", kind: .email)
            try desk.queueSomething()
            try await desk.sendOnce(with: desk.service())
            let waiting = try #require(try desk.store.notices().outbox.waiting.first)
            #expect(waiting.failure?.contains("--smtp") == true)
        }
    }

    @Test(arguments: [
        "ana@example.com", "a.b+c@sub.example.co", "o'hara@example.com",
        "a_b-c@xn--bcher-kva.example",
    ])
    func `an address is taken as it is`(text: String) throws {
        #expect(MailAddress(text)?.description == text)
        let url = try WebhookURL(checking: "mailto:" + text)
        #expect(url.isMail && url.text == "mailto:" + text)
    }

    @Test(arguments: [
        "", "ana", "@example.com", "ana@", "ana@example", "a..b@example.com", ".a@example.com",
        "a@b@example.com", "ana@-x.com", "ana@example.com\r\nRCPT TO:<x@example.com>",
        "ana@exam ple.com", "\"a b\"@example.com", "ana@[127.0.0.1]", "<ana@example.com>",
        "ana@example.com?subject=x", "änä@example.com", "a,b@example.com",
        String(repeating: "a", count: 65) + "@example.com",
    ])
    func `what could be more than an address is none`(text: String) {
        #expect(MailAddress(text) == nil)
    }

    @Test(arguments: [
        ("smtp://mail.example.com", "smtp://mail.example.com:587"),
        ("smtps://mail.example.com", "smtps://mail.example.com:465"),
        ("SMTP://Mail.Example.com:25", "smtp://mail.example.com:25"),
        ("smtp://mail.example.com:443", "smtp://mail.example.com:443"),
        ("smtps://[2001:db8::1]", "smtps://[2001:db8:0:0:0:0:0:1]:465"),
        ("smtps://[2001:db8::1]:2465/", "smtps://[2001:db8:0:0:0:0:0:1]:2465"),
    ])
    func `a mail server has a host and a port`(text: String, shown: String) {
        #expect(MailServerURL(text)?.description == shown)
    }

    @Test(arguments: [
        "", "mail.example.com", "https://mail.example.com", "smtp:mail.example.com",
        "smtp://", "smtp://user:password@mail.example.com", "smtp://mail.example.com/x",
        "smtp://mail.example.com?x", "smtp://mail.example.com:0", "smtp://a b",
    ])
    func `what is no mail server is refused`(text: String) {
        #expect(MailServerURL(text) == nil)
    }

    @Test func `the kind and the address go together`() async throws {
        try await NoticeDesk.run { desk in
            for (url, kind) in [
                ("mailto:ana@example.com", WebhookKind.json), ("https://a.example/", .email),
                ("mailto:ana@example.com", .slack),
            ] {
                #expect(throws: WebhookRefusal.malformed(.otherKind)) {
                    try desk.addWebhook(url, kind: kind)
                }
            }
            #expect(throws: WebhookRefusal.malformed(.mailAddress)) {
                try desk.addWebhook("ana", kind: .email)
            }
            let added = try desk.addWebhook("ana@example.com", kind: .email)
            #expect(added.url.shown == "mailto:ana@example.com")
            #expect(try desk.store.webhooks().webhooks.first?.url == added.url)
        }
    }
}
