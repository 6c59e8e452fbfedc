import Bundles
import Foundation
import Identifiers
import Releases
import Uploads

/// `upload`: an accepted offer is bounded, safe in a path, and the same when it is encoded and read again.
///
/// The input is an offer's JSON, or a query and, on further lines, header fields.
struct UploadOffers: PlainInputKind {
    static let name = "upload"

    private let limits = UploadLimits()

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let digest = String(repeating: "0f", count: 32)
        let cases = [
            """
            {"size":5,"sha256":"\(digest)","app":"a.b","version":"1","build":"2","channel":"beta",
            "notes":"n","tag":"v1","commit":"c","replace":true,"allowVersionMismatch":false,
            "origin":{"repository":"https://u:p@h/r.git?q","pipeline":"p","builder":"https://b/","run":"r"}}
            """,
            "{\"size\":9223372036854775807,\"notes\":\"\\u0000\\ud83d\\ude00\"}",
            "app=a.b&version=1&build=2&replace=true&sha256=\(digest)\n?1\n12\nsha-256=:\(digest):",
            "channel=stable&notes=a\n?0\n999999999999999\nunixsum=:1:, sha-256=:"
                + "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:",
        ]
        return Dictionary(
            uniqueKeysWithValues: cases.enumerated().map { ("\($0)", Array($1.utf8)) }
        )
    }

    func check(_ input: [UInt8]) {
        if input.first == UInt8(ascii: "{") {
            if let offer = try? JSONDecoder().decode(UploadOffer.self, from: Data(input)) {
                check(offer)
            }
            return
        }
        let lines = input.split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let field = { (index: Int) in index < lines.count ? lines[index] : "" }
        _ = UploadField.boolean(field(1))
        let size = UploadField.count(field(2))
        promise((0..<1_000_000_000_000_000).contains(size ?? 0), "a count has more than 15 digits")
        if let size {
            promise(
                field(2).utf8.allSatisfy { (0x30...0x39).contains($0) },
                "a count of no digits",
            )
            promise(
                String(size) == field(2).drop { $0 == "0" } || size == 0,
                "a count is read as another",
            )
        }
        let digest = UploadField.sha256(field(3))
        if let digest {
            promise(UploadField.sha256(UploadField.text(digest)) == digest, "a digest changes")
        }
        var query: [String: String] = [:]
        for pair in lines[0].utf8.split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            query[String(Substring(name))] = String(
                Substring(pair[name.endIndex...].dropFirst())
            )
        }
        let offer = accepted { () throws(UploadRefusal) in
            try UploadOffer(query: query, size: size ?? 1, sha256: digest)
        }
        if let offer { check(offer) }
    }

    private func check(_ offer: UploadOffer) {
        guard accepted({ () throws(UploadRefusal) in try offer.check() }) != nil else { return }
        promise(offer.size > 0, "an offer of no bytes is accepted")
        promise(offer.notes.utf8.count <= UploadOffer.notesLimit, "notes without bound")
        for word in [offer.version, offer.build, offer.tag, offer.commit].compactMap(\.self) {
            promise((1...UploadOffer.wordLimit).contains(word.utf8.count), "a word without bound")
            promise(
                word.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F },
                "a word has a control character",
            )
        }
        let names = [offer.app?.rawValue, offer.channel.rawValue, offer.release?.rawValue]
        for name in names.compactMap(\.self) {
            promise(Self.isSafe(name), "\(name.debugDescription) is no name of a file")
        }
        for text in [offer.origin?.repository, offer.origin?.builder, offer.origin?.run] {
            let isPlain = text?.utf8.allSatisfy { (0x21...0x7E).contains($0) } ?? true
            promise(isPlain && (text?.utf8.count ?? 0) <= 500, "an address cannot be shown")
        }
        checkLimits(offer)
        checkWriting(offer)
    }

    /// Whether a name has only letters, digits and characters without a meaning in a shell, a path or HTML.
    private static func isSafe(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && name != "." && name != ".."
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "._+-~".utf8.contains(byte)
                }
            }
    }

    private func checkLimits(_ offer: UploadOffer) {
        var load = UploadLoad()
        load.ownBytes = offer.size
        load.missing = offer.notes.utf8.count
        for free in [nil, 0, offer.size] {
            let isAdmitted =
                accepted { () throws(UploadRefusal) in
                    try limits.admit(offer.size, beside: load, free: free)
                } != nil
            promise(
                !isAdmitted || offer.size <= limits.largest && free != 0 && free != offer.size,
                "an upload is admitted that does not fit",
            )
        }
    }

    private func checkWriting(_ offer: UploadOffer) {
        guard let data = try? JSONEncoder().encode(offer) else {
            stop("an offer cannot be written")
        }
        let again = try? JSONDecoder().decode(UploadOffer.self, from: data)
        promise(again == offer, "an offer is another one when it is read again")
    }
}
