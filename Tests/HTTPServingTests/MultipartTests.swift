import Foundation
import HTTPServing
import TestSupport
import Testing

/// Forms with files, valid and malformed.
struct MultipartTests {
    private static let boundary = "XX"
    private static let whole = Array(
        ("--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--X\r\n"
            + "--XX\r\ncontent-disposition: form-data; name=\"b\"; filename=\"x; name=\u{22}\"\r\n"
            + "Content-Type: text/plain\r\n\r\n\r\n--XX--\r\n").utf8
    )

    @Test func `fields are told apart by the boundary alone`() throws {
        let body = try MultipartBody(Self.whole, boundary: Self.boundary, atMost: 2)
        #expect(body.fields.map(\.name) == ["a", "b"])
        #expect(body.fields.map(\.value) == ["one\r\n--X", ""])
        #expect(throws: MalformedForm.self) {
            try MultipartBody(Self.whole, boundary: Self.boundary, atMost: 1)
        }
    }

    @Test func `a file has the name that the browser gives it`() throws {
        let body = try MultipartBody(Self.whole, boundary: Self.boundary, atMost: 2)
        #expect(body.files.map(\.fileName) == ["x; name="])
        let form = try FormFields(
            multipart: Array(
                ("--XX\r\nContent-Disposition: form-data; name=\"key\"; filename=\"a.p8\"\r\n\r\nk"
                    + "\r\n--XX\r\nContent-Disposition: form-data; name=\"none\"; filename=\"\""
                    + "\r\n\r\n\r\n--XX--\r\n").utf8
            ),
            boundary: Self.boundary,
        )
        #expect(form.fileNames("key") == ["a.p8"])
        #expect(form.fileNames("none").isEmpty && form.files("none").isEmpty)
    }

    @Test func `the boundary is read from the type`() {
        let type = "multipart/form-data; charset=utf-8; boundary=\"XX\""
        #expect(MultipartBody.boundary(in: type) == "XX")
        #expect(MultipartBody.boundary(in: "text/plain; boundary=XX") == nil)
        #expect(MultipartBody.boundary(in: "multipart/form-data") == nil)
        let long = String(repeating: "X", count: 71)
        #expect(MultipartBody.boundary(in: "multipart/form-data; boundary=\(long)") == nil)
    }

    @Test func `a form that is cut short anywhere is refused`() {
        for count in 0..<(Self.whole.count - 4) {
            #expect(throws: MalformedForm.self, "\(count)") {
                try MultipartBody(
                    Array(Self.whole.prefix(count)),
                    boundary: Self.boundary,
                    atMost: 9,
                )
            }
        }
    }

    @Test func `no change of its bytes does harm`() {
        var generator = SeededGenerator(seed: 45)
        for _ in 0..<2_000 {
            var bytes = Self.whole
            let index = Int.random(in: bytes.indices, using: &generator)
            bytes[index] = UInt8.random(in: 0...255, using: &generator)
            let body = try? MultipartBody(bytes, boundary: Self.boundary, atMost: 9)
            #expect((body?.fields.count ?? 0) <= 2)
        }
    }
}
