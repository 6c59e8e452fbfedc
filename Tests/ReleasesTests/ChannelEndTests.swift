import Bundles
import Foundation
import Identifiers
import Releases
import Testing

/// The ends of channels in an app's record.
struct ChannelEndTests {
    private let now = ExampleRelease.now
    private let one = ReleaseIdentifier(version: "1", build: "1")
    private let two = ReleaseIdentifier(version: "1", build: "2")

    private func app() throws -> AppRecord {
        AppRecord(
            bundleIdentifier: try #require(BundleIdentifier("com.example.app")),
            title: "App",
            slug: try #require(Slug("app")),
            created: now,
        )
    }

    private func pull(_ number: Int = 12) throws -> ChannelName {
        try #require(ChannelName("pr-\(number)"))
    }

    @Test(arguments: [
        ("1h", 3600.0), ("60h", 216_000), ("8760h", 31_536_000), ("1d", 86_400),
        ("14d", 1_209_600),
        ("365d", 31_536_000), ("2w", 1_209_600), ("52w", 31_449_600),
    ])
    func `a life is an hour to a year`(text: String, seconds: Double) throws {
        let life = try #require(ChannelLife(text))
        #expect(life.seconds == seconds && life.description == text)
        #expect(life.end(from: now) == now + seconds)
    }

    @Test(arguments: [
        "", "h", "0h", "0d", "8761h", "366d", "53w", "-1d", "+1d", " 1d", "1 d", "1.5d", "59m",
        "3600s",
        "1D", "14", "d14", "99999d", "99999999999999999999d", "１d", "1d\n", "1\u{0}d",
    ])
    func `other text is none`(text: String) {
        #expect(ChannelLife(text) == nil)
    }

    @Test func `a channel with an end is never the default, and may get another end`() throws {
        var app = try app()
        let channel = try pull()
        app.offer(one, on: channel, until: now + 3600)
        #expect(app.defaultChannel == nil && app.mayEnd(channel) && !app.mayEnd(.stable))
        #expect(app.end(of: channel) == now + 3600)
        app.offer(two, on: channel)
        #expect(app.end(of: channel) == now + 3600, "it stays where none is given")
        app.offer(two, on: channel, until: now + 7200)
        #expect(app.end(of: channel) == now + 7200)
        let beta = try #require(ChannelName("zeta"))
        app.offer(one, on: beta)
        #expect(app.defaultChannel == beta && !app.mayEnd(beta) && app.mayEnd(channel))
        app.offer(one, on: .stable)
        #expect(app.defaultChannel == .stable && app.mayEnd(beta))
        #expect(try StoredJSON.value(AppRecord.self, from: StoredJSON.text(app)) == app)
    }

    @Test func `a channel that has ended is never the default again`() throws {
        var app = try app()
        let channel = try pull()
        app.offer(one, on: channel, until: now + 3600)
        #expect(!app.isClosed(channel, at: now) && app.isClosed(channel, at: now + 3600))
        _ = app.end(channel, as: EndedChannel(date: now, actor: "ada"))
        #expect(app.isClosed(channel, at: now))
        app.offer(one, on: channel)
        #expect(app.defaultChannel == nil && !app.lasts(channel) && app.mayEnd(channel))
        let zeta = try #require(ChannelName("zeta"))
        app.offer(two, on: zeta)
        #expect(app.defaultChannel == zeta && app.lasts(zeta))
    }

    @Test func `time decides, forward and back`() throws {
        var app = try app()
        let channel = try pull()
        app.offer(one, on: channel, until: now + 3600)
        #expect(app.endings(at: now + 3599).isEmpty && app.offers(at: now + 3599).count == 1)
        #expect(app.endings(at: now + 3600) == [channel] && app.offers(at: now + 3600).isEmpty)
        #expect(app.isOver(one, at: now + 9999) && !app.isOver(one, at: now))
        app.offer(one, on: .stable)
        #expect(!app.isOver(one, at: now + 9999), "another channel offers it")
        #expect(app.end(of: one) == nil && app.end(of: channel) != nil)
        #expect(!app.isOver(two, at: now + 9999), "no channel offers it")
    }

    @Test func `what has ended is known until the channel is there again`() throws {
        var app = try app()
        let channel = try pull()
        app.offer(one, on: channel, until: now + 3600)
        let ending = EndedChannel(date: now, actor: "ada")
        let first = app.end(channel, as: ending)
        let second = app.end(channel, as: EndedChannel(date: now + 1, actor: "ben"))
        #expect(first && !second)
        #expect(app.channels.isEmpty && app.channelEnds == nil && app.ended(channel) == ending)
        #expect(app.endings(at: now + 59).isEmpty, "the one that ended it is at work")
        #expect(app.endings(at: now - 1) == [channel], "the clock was set back")
        #expect(app.endings(at: now + 60) == [channel], "its releases are still to be withdrawn")
        app.close(channel, ended: now + 1)
        #expect(app.endings(at: now + 60) == [channel], "of another end")
        app.close(channel, ended: now)
        #expect(app.endings(at: now + 60).isEmpty && app.ended(channel)?.isOpen == nil)
        app.offer(two, on: channel)
        #expect(app.ended(channel) == nil && app.end(of: channel) == nil, "no end is inherited")
        #expect(try StoredJSON.value(AppRecord.self, from: StoredJSON.text(app)) == app)
    }

    @Test func `the oldest ends are forgotten, but none whose releases are left`() throws {
        var app = try app()
        for number in 0..<AppRecord.endedChannelLimit + 20 {
            let channel = try pull(number)
            app.offer(one, on: channel, until: now + 3600)
            _ = app.end(channel, as: EndedChannel(date: now + Double(number), actor: "ada"))
            if number > 0 { app.close(channel, ended: now + Double(number)) }
        }
        let left = try #require(app.endedChannels)
        #expect(left.count == AppRecord.endedChannelLimit)
        #expect(left[try pull(0)]?.isOpen == true)
        #expect(left[try pull(1)] == nil)
        #expect(left[try pull(20)] == nil)
        #expect(left[try pull(AppRecord.endedChannelLimit + 19)] != nil)
    }
}
