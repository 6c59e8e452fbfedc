import Bundles
import Identifiers
import Releases
import Testing

struct ChannelNameTests {
    @Test(arguments: [
        "stable", "beta", "dev", "pr-12", "1.x", "a_b", String(repeating: "a", count: 63),
    ])
    func `ordinary names are channels`(text: String) {
        #expect(ChannelName(text)?.rawValue == text)
    }

    @Test(arguments: [
        "", "-a", ".", "..", "_a", "Beta", "a b", "a/b", "a\0", "é", "\u{212A}", "a\n",
        String(repeating: "a", count: 64),
    ])
    func `other text is not`(text: String) {
        #expect(ChannelName(text) == nil)
    }

    @Test func `as keys of a dictionary they are keys of a JSON object`() throws {
        let beta = try #require(ChannelName("beta"))
        let channels: [ChannelName: ReleaseIdentifier] = [
            .stable: ReleaseIdentifier(version: "1.0", build: "1"),
            beta: ReleaseIdentifier(version: "1.1", build: "2"),
        ]
        let text = try StoredJSON.text(channels)
        #expect(text == "{\n  \"beta\" : \"1.1-2\",\n  \"stable\" : \"1.0-1\"\n}\n")
        #expect(
            try StoredJSON.value([ChannelName: ReleaseIdentifier].self, from: text) == channels
        )
    }

    @Test(arguments: [
        #"{"..": "1-1"}"#, #"{"Beta": "1-1"}"#, #"{"beta": "../x"}"#, #"["beta", "1-1"]"#,
    ])
    func `a document with another key or release is refused`(text: String) {
        #expect(throws: DecodingError.self) {
            try StoredJSON.value([ChannelName: ReleaseIdentifier].self, from: text)
        }
    }

    @Test func `the default channel is stable, else the first by name`() throws {
        let identifier = try #require(BundleIdentifier("com.example.app"))
        let slug = try #require(Slug("app"))
        var app = AppRecord(
            bundleIdentifier: identifier,
            title: "App",
            slug: slug,
            created: ExampleRelease.now,
        )
        #expect(app.defaultChannel == nil)
        let release = ReleaseIdentifier(version: "1", build: "1")
        app.channels[try #require(ChannelName("dev"))] = release
        app.channels[try #require(ChannelName("beta"))] = release
        #expect(app.defaultChannel?.rawValue == "beta")
        app.channels[.stable] = release
        #expect(app.defaultChannel == .stable)
    }
}
