import HTTPServing
import Testing

/// File names under which browsers save.
struct ContentDispositionTests {
    @Test(arguments: [
        ("Demo-1.2.0-34", "attachment; filename=\"Demo-1.2.0-34.ipa\""),
        (
            "Demo & Co-1.2.0-34",
            "attachment; filename=\"Demo-Co-1.2.0-34.ipa\"; "
                + "filename*=UTF-8''Demo-%26-Co-1.2.0-34.ipa",
        ),
        (
            "Café-1.0-1",
            "attachment; filename=\"Caf-1.0-1.ipa\"; filename*=UTF-8''Caf%C3%A9-1.0-1.ipa",
        ),
        (
            "ブラウザ-1.0-1",
            "attachment; filename=\"-1.0-1.ipa\"; filename*=UTF-8''"
                + "%E3%83%96%E3%83%A9%E3%82%A6%E3%82%B6-1.0-1.ipa",
        ),
        ("../../etc/passwd", "attachment; filename=\"etc-passwd.ipa\""),
        (
            "a\"; filename=b\r\nSet-Cookie: x",
            "attachment; filename=\"a-filename-b-Set-Cookie-x.ipa\"; "
                + "filename*=UTF-8''a-%3B-filename%3Db-Set-Cookie-x.ipa",
        ),
        ("\u{202E}gpj", "attachment; filename=\"gpj.ipa\""),
        ("", "attachment; filename=\"file.ipa\""),
    ])
    func `a name stays one file, whatever is in it`(name: String, field: String) {
        #expect(ContentDisposition.attachment(named: name, extension: "ipa") == field)
    }

    @Test func `a long name is cut between characters`() throws {
        let name = String(repeating: "é", count: 500)
        let field = ContentDisposition.attachment(named: name, extension: "ipa")
        #expect(field.contains(String(repeating: "%C3%A9", count: 100) + ".ipa"))
        #expect(!field.contains(String(repeating: "%C3%A9", count: 101)))
    }
}
