import Testing

@testable import S3

/// XML responses from correct and from hostile stores.
struct AnswerXMLTests {
    @Test func `an answer is read with its references`() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- a comment -->
            <Error xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Code>No&amp;Key</Code>
            <Empty/><Message>&#60;a&#x3E; &quot;&apos;</Message></Error>

            """
        let root = try #require(AnswerElement.document(Array(text.utf8)))
        #expect(root.name == "Error" && root.text("Code") == "No&Key")
        #expect(root.text("Message") == "<a> \"'" && root.text("Empty") == "")
        #expect(root["None"] == nil)
    }

    @Test(arguments: [
        "", "text", "<a>", "<a></b>", "<a></a><b></b>", "<a>&b;</a>", "<a>&#xD800;</a>", "<a",
        "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<a><!-- </a>", "<></>", "<a>&#x110000;</a>",
        "<?xml", "<a/ >x", "<a>&",
    ])
    func `anything else is no answer`(text: String) {
        #expect(AnswerElement.document(Array(text.utf8)) == nil)
    }

    @Test func `no answer is deeper or has more elements than one of S3`() {
        let deep =
            String(repeating: "<a>", count: 5_000) + String(repeating: "</a>", count: 5_000)
        #expect(AnswerElement.document(Array(deep.utf8)) == nil)
        let wide = "<a>" + String(repeating: "<b/>", count: 50_000) + "</a>"
        #expect(AnswerElement.document(Array(wide.utf8)) == nil)
        #expect(AnswerElement.document([0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E]) == nil)
    }
}
