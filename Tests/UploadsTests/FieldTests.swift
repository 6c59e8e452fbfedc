import Cryptography
import Testing
import Uploads

struct FieldTests {
    @Test func `booleans and counts are read as RFC 9651 writes them`() {
        #expect(UploadField.boolean("?1") == true && UploadField.boolean("?0") == false)
        for text in ["1", "true", "?2", "", "?1 "] { #expect(UploadField.boolean(text) == nil) }
        #expect(UploadField.count("0") == 0 && UploadField.count("123456789012345") != nil)
        for text in ["", "-1", "+1", "1.0", "1234567890123456", "\u{FF15}", " 1"] {
            #expect(UploadField.count(text) == nil, "\(text)")
        }
    }

    @Test func `a digest goes there and back, beside others`() {
        let digest = SHA256Digest(of: Array("build".utf8))
        let text = UploadField.text(digest)
        #expect(UploadField.sha256(text) == digest)
        #expect(UploadField.sha256("sha-512=:AAAA:, \(text)") == digest)
        #expect(UploadField.sha256("\(text);a=1; b, sha-512=:AAAA:;c=2") == digest)
        let other = UploadField.text(SHA256Digest(of: []))
        for text in [
            "", "sha-256=AAAA", "sha-256=:AAAA:", "sha-256=::", "sha-256=:%%%:",
            "\(text), \(other)",
        ] {
            #expect(UploadField.sha256(text) == nil, "\(text)")
        }
    }

    @Test func `an identifier is what was given out, and nothing else`() {
        let identifier = UploadIdentifier { [UInt8](repeating: 0xAB, count: $0) }
        #expect(UploadIdentifier(identifier.description) == identifier)
        for text in [
            "", "..", String(repeating: "A", count: 32), String(repeating: "a", count: 33),
        ] {
            #expect(UploadIdentifier(text) == nil)
        }
    }
}
