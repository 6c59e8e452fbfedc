import Foundation
import PropertyLists
import Sample

/// `plist-xml`: what can be read can be written, and read again without a change.
struct XMLPropertyLists: PlainInputKind {
    static let name = "plist-xml"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        [
            "every-kind": RoundTrip.everyKind.xml(),
            "info": RoundTrip.info.xml(),
            "references": Array(
                "<?xml version='1.0'?><!-- c --><plist><array><string>a&#x26;&lt;<![CDATA[<b>]]>"
                    .utf8
            ) + Array("</string><real>-1.5e3</real><integer>0x1F</integer></array></plist>".utf8),
        ]
    }

    func check(_ input: [UInt8]) {
        guard let list = RoundTrip.read(input) else { return }
        RoundTrip.check(list)
        // Everything that was read from XML can be written as XML.
        guard !input.starts(with: Array("bplist".utf8)) else { return }
        promise(
            RoundTrip.reread(list.xml()).binary() == list.binary(),
            "the XML form lost something that XML had carried",
        )
    }
}

/// `plist-binary`: the same for the binary form, in which containers may share objects.
struct BinaryPropertyLists: PlainInputKind {
    static let name = "plist-binary"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        [
            "every-kind": RoundTrip.everyKind.binary(),
            "info": RoundTrip.info.binary(),
            "shared": Self.shared,
        ]
    }

    func check(_ input: [UInt8]) {
        guard let list = RoundTrip.read(input) else { return }
        RoundTrip.check(list)
    }

    /// An array that refers to one string four times.
    private static let shared =
        Array("bplist00".utf8) + [0xA4, 1, 1, 1, 1, 0x51, 0x61, 8, 13] + [0, 0, 0, 0, 0, 0, 1, 1]
        + [0, 0, 0, 0, 0, 0, 0, 2] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 15]
}

private enum RoundTrip {
    /// The limits for an enrolment by a stranger are lower.
    private static let limits = PropertyList.Limits(
        bytes: 64 << 10,
        depth: 32,
        objects: 5_000,
        content: 128 << 10,
    )

    /// Enough for everything within `limits`, written as XML: an object of one byte may become 60 bytes.
    private static let wide = PropertyList.Limits(
        bytes: 8 << 20,
        depth: 64,
        objects: 20_000,
        content: 8 << 20,
    )

    static func read(_ input: [UInt8]) -> PropertyList? {
        accepted { () throws(MalformedPropertyList) in
            try PropertyList(reading: input, limits: limits)
        }
    }

    static func reread(_ written: [UInt8]) -> PropertyList {
        do throws(MalformedPropertyList) {
            return try PropertyList(reading: written, limits: wide)
        } catch {
            stop("what was written is refused: \(error)")
        }
    }

    static func check(_ list: PropertyList) {
        let binary = list.binary()
        let again = reread(binary)
        promise(again.binary() == binary, "the binary form is not read as it was written")
        let xml = list.xml()
        promise(again.xml() == xml, "the binary form lost something")
        let lost = Array("\u{FFFD}".utf8)
        // Keys that lost a character may have become equal, or be in another order.
        guard xml.firstRange(of: lost) == nil else { return }
        promise(reread(xml).xml() == xml, "the XML form is not read as it was written")
    }

    static let info: PropertyList = .dictionary([
        "CFBundleIdentifier": .string("com.example.demo"),
        "CFBundleVersion": .string("42"),
        "UIDeviceFamily": .array([.integer(1), .integer(2)]),
        "CFBundleIcons": .dictionary(["CFBundlePrimaryIcon": .dictionary([:])]),
    ])

    static let everyKind: PropertyList = .dictionary([
        "array": .array([.boolean(true), .boolean(false), .array([])]),
        "data": .data(Array(0...20)),
        "date": .date(SeedAuthority.date),
        "integers": .array([.integer(-1), .integer(255), .integer(70_000), .unsigned(.max)]),
        "real": .real(1.5),
        "text": .string("Grüße & <Küsse>"),
        "uid": .uid(7),
    ])
}
