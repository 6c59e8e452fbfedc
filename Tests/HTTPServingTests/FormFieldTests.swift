import HTTPServing
import Testing

/// Forms are parsed as bytes, so that no grapheme cluster includes a separator.
struct FormFieldTests {
    @Test func `fields are parted by bytes, also in front of a combining mark`() throws {
        let form = try FormFields(
            urlEncoded: Array("a=1&\u{301}b=2&c=\u{301}x&d+=%2b+\u{301}".utf8)
        )
        #expect(form["a"] == "1")
        #expect(form["\u{301}b"] == "2")
        #expect(form["c"].map { Array($0.utf8) } == Array("\u{301}x".utf8))
        #expect(form["d "].map { Array($0.utf8) } == Array("+ \u{301}".utf8))
        #expect(form.all.count == 4)
    }

    @Test(arguments: ["a=%", "a=%4", "%g0=1", "a=%ff", "a=1&b=2&a=3", "a=%+1"])
    func `what is no form is refused`(text: String) {
        #expect(throws: MalformedForm.self) { try FormFields(urlEncoded: Array(text.utf8)) }
    }

    @Test func `a form has at most so many fields`() throws {
        let pairs = (0...FormFields.greatestCount).map { "f\($0)=" }
        _ = try FormFields(urlEncoded: Array(pairs.dropLast().joined(separator: "&").utf8))
        #expect(throws: MalformedForm.self) {
            try FormFields(urlEncoded: Array(pairs.joined(separator: "&").utf8))
        }
    }

    @Test func `a field's name is found by bytes in the header of its part`() throws {
        let text =
            "--X\r\nContent-Disposition: form-data; name=\"a\"; filename=\"\u{2028}"
            + "content-disposition:; name=\"b\"\r\n\r\n1\r\n--X\r\n"
            + "X: \u{2028}Content-Disposition: ; name=\"c\"\r\n"
            + "content-disposition: form-data; name=\"\u{301}d\"\r\n\r\n2\r\n--X--"
        let form = try FormFields(multipart: Array(text.utf8), boundary: "X")
        #expect(form.all == ["a": "1", "\u{301}d": "2"])
        #expect(MultipartBody.boundary(in: "multipart/form-data;\u{301}; boundary=X") == "X")
    }
}
