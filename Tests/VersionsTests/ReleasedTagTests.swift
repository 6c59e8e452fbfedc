import Testing
import Versions

/// Which of several tags is used.
struct ReleasedTagTests {
    @Test(
        arguments: [
            (["v1.2.0", "v1.10.0", "v1.9.0"], nil, "v1.10.0"),
            (["v1.2.0-beta.2", "v1.2.0"], nil, "v1.2.0"),
            (["nightly", "v1.2.0"], nil, "v1.2.0"), (["nightly"], nil, nil), ([], nil, nil),
            (["browsey/v1.2.0"], nil, "browsey/v1.2.0"),
            (["browsey/v9.0.0", "v1.2.0"], nil, "v1.2.0"),
            (["browsey/v1.2.0", "simbridge/v3.0.0"], "browsey/", "browsey/v1.2.0"),
            (["browsey/v1.2.0", "v3.0.0"], "simbridge/", nil),
            (["v1.2.0", "1.2.0"], nil, "v1.2.0"), (["1.2", "v1.2.0"], nil, "v1.2.0"),
        ] as [([String], String?, String?)]
    )
    func `the highest version of the right prefix wins`(
        names: [String],
        prefix: String?,
        expected: String?,
    ) throws {
        let names = try names.map { try TagName($0) }
        #expect(try VersionTag.released(as: names, prefix: prefix)?.name.rawValue == expected)
        #expect(
            try VersionTag.released(as: names.reversed(), prefix: prefix)?.name.rawValue == expected
        )
    }

    @Test func `a commit that is tagged for two apps needs a prefix`() throws {
        let names = try ["simbridge/v3.0.0", "browsey/v1.2.0"].map { try TagName($0) }
        let refusal = VersionRefusal.severalPrefixes(["browsey/", "simbridge/"])
        #expect(throws: refusal) { try VersionTag.released(as: names) }
        #expect(refusal.fix.contains("--prefix browsey/"))
    }

    @Test(arguments: [
        ("v1.2.0", "v1.1.0"), ("v1.3.0-beta.2", "v1.3.0-beta.1"), ("v1.3.0-alpha.2", "v1.2.0"),
        ("v1.3.0", "v1.2.0"), ("v1.1.1", "v1.1.0"), ("v1.0.0", nil),
        ("browsey/v2.0.0", "browsey/v1.9.0"), ("browsey/v1.9.0", nil),
    ])
    func `changes are counted from the version that its testers had`(
        name: String,
        expected: String?,
    ) throws {
        let tags = try [
            "v1.0.0", "v1.1.0", "v1.2.0-beta.1", "v1.2.0", "v1.3.0-beta.1", "v1.3.0-rc.1",
            "v9.0.0", "browsey/v1.9.0", "browsey/v2.0.0", name,
        ].map { try VersionTag(TagName($0)) }
        let tag = try VersionTag(TagName(name))
        #expect(tag.previous(among: tags)?.name.rawValue == expected)
    }
}
