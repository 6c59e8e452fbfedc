import Bundles
import Images
import PropertyLists
import TestSupport
import Testing

@Suite struct AppIconTests {
    private func png(_ side: Int) -> [UInt8] {
        Raster.placeholder(name: "A", seed: "s", side: side).png()
    }

    private let primary: [String: PropertyList] = [
        "CFBundleIcons": .dictionary([
            "CFBundlePrimaryIcon": .dictionary([
                "CFBundleIconFiles": .array([.string("AppIcon20x20"), .string("AppIcon60x60")])
            ])
        ])
    ]

    private func icon(
        _ info: [String: PropertyList] = [:],
        _ files: [String: [UInt8]],
    ) throws -> AppIcon {
        let archive = SmallArchive.app(info) { archive in
            for (path, contents) in files { archive.files[path] = contents }
        }
        return try archive.application().icon(in: archive.archive())
    }

    private func place(
        _ info: [String: PropertyList] = [:],
        _ names: [String],
    ) throws -> String? {
        let files = names.map { ($0.contains("/") ? $0 : "Payload/A.app/" + $0, png(20)) }
        guard
            case .file(let place) = try icon(info, Dictionary(uniqueKeysWithValues: files)).origin
        else { return nil }
        return place.split(separator: "/").last.map(String.init)
    }

    @Test func `the largest variant of the primary icon comes first`() throws {
        let names = [
            "AppIcon20x20@3x.png", "AppIcon60x60@2x.png", "AppIcon60x60@3x.png",
            "AppIcon76x76@2x~ipad.png", "AppIcon83.5x83.5@2x~ipad.png", "Other1024x1024.png",
        ]
        #expect(try place(primary, names) == "AppIcon60x60@3x.png")
        var pad = primary
        pad["CFBundleIcons~ipad"] = .dictionary([
            "CFBundlePrimaryIcon": .dictionary([
                "CFBundleIconFiles": .array([.string("AppIcon83.5x83.5")])
            ])
        ])
        #expect(try place(pad, names) == "AppIcon60x60@3x.png")
        #expect(
            try place(pad, names.filter { !$0.hasSuffix("60@3x.png") })
                == "AppIcon83.5x83.5@2x~ipad.png"
        )
    }

    @Test func `older keys, older names, artwork and lookalikes follow in this order`() throws {
        var info: [String: PropertyList] = [
            "CFBundleIconFiles": .array([.string("Files.png"), .integer(3)]),
            "CFBundleIconFile": .string("File"),
        ]
        var names = [
            "Files@2x.png", "File.png", "Icon-72.png", "AppIcon29x29.png", "Iconic.png",
            "Sub/Icon.png",
        ]
        #expect(try place(info, names) == "Files@2x.png")
        info["CFBundleIconFiles"] = nil
        #expect(try place(info, names) == "File.png")
        info["CFBundleIconFile"] = nil
        #expect(try place(info, names) == "Icon-72.png")
        names.removeAll { $0 == "Icon-72.png" }
        #expect(try place(info, names) == "AppIcon29x29.png")
        names.removeAll { $0 == "AppIcon29x29.png" }
        #expect(try place(info, names) == nil)
    }

    @Test func `an icon's name is compared as bytes`() throws {
        let info: [String: PropertyList] = ["CFBundleIconFile": .string("\u{E9}")]
        #expect(try place(info, ["\u{E9}@2x.png"]) == "\u{E9}@2x.png")
        #expect(try place(info, ["e\u{301}.png"]) == nil)
    }

    @Test func `iTunes artwork is taken when it is a PNG and passed over when it is not`() throws {
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        #expect(try icon([:], ["iTunesArtwork": png(30)]).origin == .file("iTunesArtwork"))
        let skipped = try icon([:], ["iTunesArtwork": jpeg])
        #expect(skipped.origin == .placeholder)
        #expect(skipped.broken.isEmpty)
    }

    @Test func `a broken icon gives way to the next and is named`() throws {
        let chosen = try icon(
            primary,
            [
                "Payload/A.app/AppIcon60x60@3x.png": Array(png(180).prefix(90)),
                "Payload/A.app/AppIcon60x60@2x.png": png(120),
            ],
        )
        #expect(chosen.origin == .file("Payload/A.app/AppIcon60x60@2x.png"))
        #expect(chosen.broken.map(\.place) == ["Payload/A.app/AppIcon60x60@3x.png"])
    }

    /// A hostile icon of 8 KB once took 34 GB to scale.
    @Test func `an icon of a shape that no icon has gives way to the next and is named`() throws {
        let chosen = try icon(
            primary,
            [
                "Payload/A.app/AppIcon60x60@3x.png": try tall(4_194_304),
                "Payload/A.app/AppIcon60x60@2x.png": png(120),
            ],
        )
        #expect(chosen.origin == .file("Payload/A.app/AppIcon60x60@2x.png"))
        #expect(chosen.broken.map(\.place) == ["Payload/A.app/AppIcon60x60@3x.png"])
        #expect(chosen.broken.allSatisfy { $0.reason.contains("1 by 4194304 pixels") })
        #expect(chosen.set.png512.count < 1 << 20)
    }

    /// A complete and valid PNG, one pixel wide.
    private func tall(_ height: Int) throws -> [UInt8] {
        let pixels = [UInt8](repeating: 255, count: 4 * height)
        return try #require(Raster(width: 1, height: height, pixels: pixels)).png()
    }

    @Test func `without an icon the initial stands in, and the sizes are the manifest's`() throws {
        let icon = try icon([:], [:])
        #expect(icon.origin == .placeholder)
        let small = try Raster(png: icon.set.png57)
        let large = try Raster(png: icon.set.png512)
        #expect((small.width, small.height) == (57, 57))
        #expect((large.width, large.height) == (512, 512))
    }

    @Test func `names that are no names change nothing`() throws {
        for value in [.integer(1), .dictionary([:]), .array([.array([])]), .string("../../x")]
            as [PropertyList]
        {
            #expect(
                try icon(["CFBundleIcons": value, "CFBundleIconFile": value], [:]).origin
                    == .placeholder
            )
        }
    }
}
