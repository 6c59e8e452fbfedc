import Access
import Cryptography
import Foundation
import NIOCore
import OTAServer
import Releases
import Store
import TesterSite
import Testing

/// The bytes of event streams, and listeners that do not keep up or go away.
@Suite(.timeLimit(.minutes(10)))
struct EventStreamTests {
    private static func head(
        _ path: String,
        _ version: String = "1.1",
        _ fields: String = "",
    ) -> String {
        "GET \(path) HTTP/\(version)\r\nHost: localhost\r\n\(fields)\r\n"
    }

    /// Reads until the end of what has arrived contains `text`.
    private static func wait(for text: String, _ client: WireClient) async -> Bool {
        while true {
            let tail = client.buffer.readableBytesView.suffix(100_000)
            if String(decoding: tail, as: UTF8.self).contains(text) { return true }
            guard await client.more() else { return false }
        }
    }

    @Test func `events of HTTP 1.1 are chunks, and those of HTTP 1.0 are not`() async throws {
        try await TestSite.run { site in
            try await WireClient.secure(site) { new in
                try await WireClient.secure(site) { old in
                    try await new.send(Self.head("/events?app=demo-co"))
                    try await old.send(Self.head("/events?app=demo-co", "1.0"))
                    #expect(await Self.wait(for: ": listening\n\n", new))
                    #expect(await Self.wait(for: ": listening\n\n", old))
                    try TestSite.publish([1, 2, 3], into: site.store, version: "1.3.0")
                    #expect(await Self.wait(for: "event: changed\ndata: {}\n\n", new))
                    #expect(await Self.wait(for: "event: changed\ndata: {}\n\n", old))
                    // The body is parsed strictly: each chunk has the size that it names.
                    site.stop.stop()
                    #expect(try await new.responseHead().fields["transfer-encoding"] == "chunked")
                    var text = String(decoding: await new.rest(), as: UTF8.self)[...]
                    var body = ""
                    while let end = text.range(of: "\r\n"),
                        let size = Int(text[..<end.lowerBound], radix: 16)
                    {
                        let chunk = text[end.upperBound...].utf8
                        body += String(chunk.prefix(size)) ?? ""
                        text = Substring(chunk.dropFirst(size))
                        #expect(text.hasPrefix("\r\n"))
                        text = text.dropFirst("\r\n".count)
                        if size == 0 { break }
                    }
                    #expect(text.isEmpty)
                    #expect(body.hasSuffix("event: changed\ndata: {}\n\n"))
                    let plain = String(decoding: await old.rest(), as: UTF8.self)
                    #expect(plain.hasSuffix(body))
                }
            }
        }
    }

    @Test func `a listener that reads nothing is disconnected, and another hears everything`()
        async throws
    {
        try await TestSite.run { site in
            let token = try AdminClient.token(in: site.store)
            let request = Self.head("/events", "1.1", "Authorization: Bearer \(token)\r\n")
            try await WireClient.secure(site) { stalled in
                try await WireClient.secure(site) { reader in
                    for client in [stalled, reader] {
                        try await client.send(request)
                        #expect(await Self.wait(for: ": listening\n\n", client))
                    }
                    try await stalled.stall()
                    let filler = String(repeating: "x", count: 16_000)
                    var heard = 0
                    for round in 0..<60 {
                        for number in 0..<20 {
                            try site.store.record(
                                Activity(
                                    date: Date(),
                                    actor: "tests",
                                    event: .deviceAdded,
                                    subject: "\(filler) \(round)-\(number).",
                                )
                            )
                        }
                        if await Self.wait(for: " \(round)-19.", reader) { heard += 1 }
                    }
                    #expect(heard == 60)
                    try await stalled.goOn()
                    // The end of the connection comes before the last events.
                    #expect(await !Self.wait(for: " 59-19.", stalled))
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `a listener that goes away gives its place back at once`(halfClosed: Bool) async throws {
        try await TestSite.run(configure: { configuration, _ in
            configuration.listeners.pages = 1
            configuration.eventBeat = .seconds(3600)
        }) { site in
            let request = Self.head("/events?app=demo-co")
            try await WireClient.secure(site) { first in
                try await first.send(request)
                #expect(await Self.wait(for: ": listening\n\n", first))
                #expect(try await WireClient.get(site, "/events?app=demo-co").status == 503)
                if halfClosed { try await first.endSending() } else { await first.cut() }
                var status = 503
                for _ in 0..<100 where status == 503 {
                    try await Task.sleep(for: .milliseconds(50))
                    try await WireClient.secure(site) { second in
                        try await second.send(request)
                        status = try await second.responseHead().status
                    }
                }
                #expect(status == 200)
            }
        }
    }
}
