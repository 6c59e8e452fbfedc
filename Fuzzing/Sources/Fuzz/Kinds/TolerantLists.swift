import PropertyLists
import Sample

/// `plist-tolerant`: only repeated keys and UTF-16 are tolerated, and nothing else changes.
///
/// The input is a byte that chooses the byte order for UTF-16, and the document.
struct TolerantLists: PlainInputKind {
    static let name = "plist-tolerant"

    private static let limits = PropertyList.Limits(
        bytes: 16 << 10,
        depth: 16,
        objects: 2_000,
        content: 32 << 10,
    )

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let header = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist version=\"1.0\">"
        let repeated = "<dict><key>a</key><true/><key>a</key><string>é𝄞</string></dict></plist>"
        let nested = """
            <dict><key>b</key><dict><key>c</key><integer>1</integer><key>c</key><false/></dict>\
            <key>b</key><dict/></dict></plist>
            """
        var seeds = ["0": header + repeated, "1": "<plist>" + repeated, "2": "<plist>" + nested]
            .mapValues { [0] + Array($0.utf8) }
        seeds["little"] =
            [1, 0xFF, 0xFE]
            + (header + repeated).utf16.flatMap {
                [UInt8($0 & 0xFF), UInt8($0 >> 8)]
            }
        let list: PropertyList = .dictionary(["a": .array([.integer(1), .data([2])])])
        seeds["binary"] = [0] + list.binary()
        // The dictionary {a: true, a: true}.
        seeds["binary-repeated"] =
            [0] + Array("bplist00".utf8)
            + [0xD2, 1, 1, 2, 2, 0x51, 0x61, 0x09, 8, 13, 15] + [0, 0, 0, 0, 0, 0, 1, 1]
            + [0, 0, 0, 0, 0, 0, 0, 3] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 16]
        return seeds
    }

    func check(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let document = Array(input.dropFirst())
        let strict = Self.strict(document)
        let tolerant = Self.tolerant(document)
        if let strict {
            guard let tolerant else { stop("what is read strictly is refused") }
            promise(tolerant.value.binary() == strict.binary(), "tolerance changes a value")
            promise(tolerant.repeatedKeys == [] && !tolerant.isUTF16, "tolerance has no reason")
        } else if let tolerant {
            let keys = tolerant.repeatedKeys
            promise(!keys.isEmpty || tolerant.isUTF16, "a document is read for no reason")
            promise(keys.count <= 8 && Set(keys).count == keys.count, "names without bound")
            _ = tolerant.value.binary()
        }
        checkUTF16(of: document, tolerant, isLittle: first & 1 == 1)
    }

    /// Checks that a document means the same in UTF-16 as in UTF-8.
    private func checkUTF16(of document: [UInt8], _ plain: TolerantReading?, isLittle: Bool) {
        guard let text = String(validating: document, as: UTF8.self),
            !document.starts(with: Array("bplist".utf8)), document.count < Self.limits.bytes / 2
        else { return }
        let units = ([0xFEFF] + Array(text.utf16)).flatMap { unit in
            let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isLittle ? pair.reversed() : pair
        }
        let wide = Self.tolerant(units)
        guard let wide else { return promise(plain == nil, "a document is read in UTF-8 alone") }
        promise(wide.isUTF16, "UTF-16 passes for something else")
        // Only in UTF-16 may a document declare itself to be UTF-16.
        guard let plain else {
            let isSaid = text.lowercased().contains("utf-16")
            return promise(isSaid, "a document is read in UTF-16 alone")
        }
        promise(
            wide.value.binary() == plain.value.binary() && wide.repeatedKeys == plain.repeatedKeys,
            "a document says something else in UTF-16",
        )
    }

    private static func strict(_ document: [UInt8]) -> PropertyList? {
        accepted { () throws(MalformedPropertyList) in
            try PropertyList(reading: document, limits: limits)
        }
    }

    private static func tolerant(_ document: [UInt8]) -> TolerantReading? {
        accepted { () throws(MalformedPropertyList) in
            try TolerantReading(document, limits: limits)
        }
    }
}
