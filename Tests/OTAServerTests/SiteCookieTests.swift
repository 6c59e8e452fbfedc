import HTTPTypes
import SiteServices
import Testing

/// Cookies are parsed as bytes, so that no grapheme cluster includes a separator.
struct SiteCookieTests {
    @Test func `a cookie behind a semicolon with a combining mark is still told apart`() {
        var fields = HTTPFields()
        let value = "x=1;\u{301}; __Host-ota_admin=a; __Host-ota_form=\u{301}f"
        fields.append(HTTPField(name: .cookie, value: value))
        #expect(SiteCookie.admin.value(in: fields, below: "") == "a")
        let form = SiteCookie.form.value(in: fields, below: "").map { Array($0.utf8) }
        #expect(form == Array("\u{301}f".utf8))
        #expect(SiteCookie.device.value(in: fields, below: "") == nil)
        #expect(SiteCookie.isAny(in: "x; oota_\u{301}form"))
        fields.append(HTTPField(name: .cookie, value: "__Host-ota_admin=b"))
        #expect(SiteCookie.admin.value(in: fields, below: "") == nil, "there twice is not there")
    }
}
