import Bundles
import HTTPTypes
import Identifiers
import SiteServices

/// `cookie`: a cookie is found by the bytes of its name, and ignored if it is there twice.
///
/// The input is values of `Cookie` fields, one on each line.
struct Cookies: PlainInputKind {
    static let name = "cookie"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let cases = [
            "ota_admin=a.b; ota_device=c", "a=b;ota_form=\nota_form=x",
            "ota_app_a.b=1; ota_app_a=2",
            "x;\u{301}ota_admin=1", "ota_\u{301}admin=2; OTA_ADMIN=3", " ota_flash==;;  ota_flash",
        ]
        return Dictionary(
            uniqueKeysWithValues: cases.enumerated().map { ("\($0)", Array($1.utf8)) }
        )
    }

    private let cookies: [(cookie: SiteCookie, name: [UInt8])]

    init() {
        let app = BundleIdentifier("a.b").map { [SiteCookie.app($0)] } ?? []
        let cookies: [SiteCookie] = [.admin, .device, .tester, .form, .flash] + app
        let names = ["admin", "device", "tester", "form", "flash", "app_a.b"]
        self.cookies = zip(cookies, names).map { ($0, Array("ota_\($1)=".utf8)) }
    }

    func check(_ input: [UInt8]) {
        var fields = HTTPFields()
        for line in input.split(separator: 10).prefix(8) {
            let value = String(decoding: line, as: UTF8.self)
            guard HTTPField.isValidValue(value) else { continue }
            fields.append(HTTPField(name: .cookie, value: value))
        }
        let lines = fields[values: .cookie].map { Array($0.utf8) }
        for (cookie, name) in cookies {
            for (path, prefix) in [("", "__Host-"), ("/a", "__Secure-")] {
                let found = cookie.value(in: fields, below: path).map { Array($0.utf8) }
                var wanted = Self.value(Array(prefix.utf8) + name, in: lines)
                if cookie == .device, wanted == nil { wanted = Self.value(name, in: lines) }
                promise(found == wanted, "\(cookie) has another value")
            }
        }
        for line in fields[values: .cookie] {
            let bytes = Array(line.utf8)
            let isAny = bytes.indices.contains { bytes[$0...].starts(with: Self.prefix) }
            promise(SiteCookie.isAny(in: line) == isAny, "a cookie of ours is passed over")
        }
    }

    private static let prefix = Array("ota_".utf8)

    private static func value(_ name: [UInt8], in lines: [[UInt8]]) -> [UInt8]? {
        var values: [[UInt8]] = []
        for line in lines {
            for pair in line.split(separator: UInt8(ascii: ";")) {
                let text = Array(pair.drop { $0 == 32 })
                if text.starts(with: name) { values.append(Array(text.dropFirst(name.count))) }
            }
        }
        return values.count == 1 ? values[0] : nil
    }
}
