import Foundation
import Pages
import Testing

/// The profiles page with a thousand apps that have one profile each.
struct LongProfilesTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    private static func entry(
        _ number: Int,
        uses: Int = 1,
        isInUse: Bool = true,
    ) -> ProfilesPage.Entry {
        ProfilesPage.Entry(
            name: "Profile \(number)!",
            kind: "Ad Hoc profile",
            team: nil,
            begins: date,
            expires: date + Double(number + 1) * 86_400,
            uses: (0..<uses).map {
                ProfilesPage.Use(title: "App \($0)!", bundle: "A.app", url: nil)
            },
            isInUse: isInUse,
        )
    }

    private static func html(_ entries: [ProfilesPage.Entry], page: Int) throws -> String {
        let examples = ExamplePages()
        return try examples.html(
            ProfilesPage(entries, page: page, at: date, admin: try examples.admin(.profiles)) {
                "/admin/profiles?page=\($0)"
            }
        )
    }

    @Test func `a page has a hundred of those in use, the earliest first`() throws {
        let entries = (0..<250).map { Self.entry($0) }.shuffled()
        let html = try Self.html(entries, page: 2)
        for number in [100, 150, 199] { #expect(html.contains("Profile \(number)!")) }
        for number in [99, 200, 249] { #expect(!html.contains("Profile \(number)!")) }
        #expect(html.contains("101–200 of 250"))
        #expect(html.contains("/admin/profiles?page=3"))
    }

    @Test func `what a thousand builds use is named twenty times`() throws {
        let html = try Self.html([Self.entry(0, uses: 1000)], page: 1)
        #expect(html.contains("App 19!") && !html.contains("App 20!"))
        #expect(html.contains("and 980 more"))
    }

    @Test func `of those no longer in use the last hundred are shown`() throws {
        let html = try Self.html((0..<130).map { Self.entry($0, isInUse: false) }, page: 1)
        #expect(html.contains("Profile 30!") && !html.contains("Profile 29!"))
        #expect(html.contains("the 100 that expire last are shown here, of 130."))
    }
}
