import Foundation
import Pages
import TestSupport
import Testing

/// The admin's pages of apps, releases and devices compared with checked-in HTML; `OTA_RECORD=1 swift test`
/// rewrites it.
struct ThingPageTests {
    @Test func `every page of apps, releases and devices`() throws {
        for (name, html) in try ExamplePages().thingPages() {
            let file = "admin-\(name).html"
            #expect(try html == Golden.text(file, recording: html), "\(file)")
        }
    }

    @Test(arguments: EscapingTests.hostile)
    func `a page has the same tags and attributes whatever the words are`(text: String) throws {
        let plain = try ExamplePages().thingPages().mapValues(HTMLStructure.init)
        let hostile = try ExamplePages(word: { _ in text }).thingPages()
            .mapValues(HTMLStructure.init)
        for (name, page) in plain {
            let other = try #require(hostile[name])
            #expect(page.tags.map(\.name) == other.tags.map(\.name), "\(name)")
            for (left, right) in zip(page.tags, other.tags) {
                #expect(left.attributes.map(\.name) == right.attributes.map(\.name), "\(name)")
                for (one, hostile) in zip(left.attributes, right.attributes) {
                    #expect(isHarmless(hostile, insteadOf: one), "\(name): \(hostile)")
                }
            }
        }
    }

    /// Whether an attribute is unchanged by a hostile text, or is one that may contain it: a value, label or
    /// tooltip, or an admin page's URL, in which it is percent-encoded.
    private func isHarmless(
        _ hostile: HTMLStructure.Attribute,
        insteadOf plain: HTMLStructure.Attribute,
    ) -> Bool {
        if hostile == plain || ["value", "title", "aria-label"].contains(plain.name) {
            return true
        }
        return ["href", "action"].contains(plain.name)
            && hostile.value.hasPrefix("/admin/") && plain.value.hasPrefix("/admin/")
            && hostile.value.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic
                        || "0123456789-._~%/?=&;#".unicodeScalars.contains(scalar))
            }
    }
}
