import Releases
import Testing

struct BuildOriginTests {
    @Test(arguments: [
        ("https://github.com/vforsh/browsey.git", "https://github.com/vforsh/browsey.git"),
        ("https://x-token:s3cret@github.com/a/b", "https://github.com/a/b"),
        ("https://s3cret@host/a", "https://host/a"), ("https://h/a?token=s3cret", "https://h/a"),
        ("ssh://git@host/a", "ssh://host/a"), ("git@github.com:a/b.git", "git@github.com:a/b.git"),
        ("u:s3cret@host:a/b", nil), ("https://h/a\nb", nil), ("", nil), ("https://h/a b", nil),
        ("https://h/\u{202E}", nil), (String(repeating: "a", count: 501), nil),
        ("urn:ota:mirror:browsey", "urn:ota:mirror:browsey"), ("/srv/git/a", "/srv/git/a"),
        ("https://a@b@c/d", "https://c/d"), ("?ref=https://u:p@h/r.git", nil), ("#main", nil),
    ])
    func `no password stays in an address`(text: String, kept: String?) throws {
        let origin = BuildOrigin(repository: text, builder: text, run: text)
        #expect(origin.repository == kept && origin.builder == kept && origin.run == kept)
        #expect(origin.isEmpty == (kept == nil))
        let sent = try StoredJSON.value(
            BuildOrigin.self,
            from: StoredJSON.text(["repository": text, "builder": text, "run": text]),
        )
        #expect(sent == origin)
    }

    @Test func `a repository has a name for people`() {
        let origin = BuildOrigin(repository: "https://github.com/vforsh/browsey.git")
        #expect(origin.repositoryName == "github.com/vforsh/browsey")
        #expect(BuildOrigin().repositoryName == nil)
        #expect(BuildOrigin(repository: "file:///srv/git/a.git/").repositoryName == "a")
        #expect(BuildOrigin(repository: "git@host:a/b.git").repositoryName == "git@host:a/b")
    }

    @Test(arguments: ["urn:ota:mirror:browsey", "URN:OTA:store:1"])
    func `nobody else speaks as this server`(name: String) {
        let origin = BuildOrigin(repository: name, pipeline: "a", builder: name, run: name)
        #expect(origin.withoutReservedNames == BuildOrigin(pipeline: "a"))
    }
}
