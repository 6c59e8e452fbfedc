import Bytes
import Essentials
import Mirrors

/// Masks secrets in text that comes in pieces, wherever the pieces are split.
///
/// A secret is recognised as it is, line by line, in Base64 at any of the three alignments, and
/// percent-encoded. Other forms that a build derives from it, such as reversed or encrypted, are not.
struct Mask: Sendable {
    static let replacement = Array("***".utf8)

    /// The forms of the secrets by their first byte, longest first.
    private let forms: [UInt8: [[UInt8]]]
    /// The end of the input so far, while it may be the beginning of a secret.
    private var pending: [UInt8] = []

    init(_ secrets: some Sequence<String>) {
        var all: Set<[UInt8]> = []
        for secret in secrets {
            let lines = secret.split(whereSeparator: \.isNewline).map(String.init)
            for text in [secret] + lines {
                let trimmed = text.trimmingWhitespace()
                guard trimmed.utf8.count >= MirrorSecrets.leastCharacters else { continue }
                all.formUnion(Self.forms(of: Array(trimmed.utf8)))
                all.formUnion(Self.forms(of: Array(text.utf8)))
            }
        }
        forms = Dictionary(grouping: all) { $0[0] }
            .mapValues { $0.sorted { $0.count > $1.count } }
    }

    /// Returns what may be shown of the next piece, and of what was held back before.
    mutating func masked(_ piece: ArraySlice<UInt8>) -> [UInt8] {
        guard !forms.isEmpty else { return Array(piece) }
        let bytes = pending + piece
        let (shown, rest) = replace(in: bytes, isEnd: false)
        pending = rest
        return shown
    }

    /// Returns what was held back, at the end of the input.
    mutating func finish() -> [UInt8] {
        let (shown, _) = replace(in: pending, isEnd: true)
        pending = []
        return shown
    }

    private func replace(
        in bytes: [UInt8],
        isEnd: Bool,
    ) -> (shown: [UInt8], rest: [UInt8]) {
        var shown: [UInt8] = []
        shown.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            guard let candidates = forms[bytes[place]] else {
                shown.append(bytes[place])
                place += 1
                continue
            }
            let rest = bytes[place...]
            // A longer form that has begun here may be completed by the next piece.
            if !isEnd,
                candidates.contains(where: { $0.count > rest.count && $0.starts(with: rest) })
            {
                return (shown, Array(rest))
            }
            if let found = candidates.first(where: { rest.starts(with: $0) }) {
                shown += Self.replacement
                place += found.count
            } else {
                shown.append(bytes[place])
                place += 1
            }
        }
        return (shown, [])
    }

    private static func forms(of secret: [UInt8]) -> [[UInt8]] {
        var forms = [secret]
        let percent = percentEncoded(secret, upper: true)
        forms.append(percent)
        forms.append(percentEncoded(secret, upper: false))
        for offset in 0..<3 {
            // Only the characters that do not depend on neighbouring bytes.
            let encoded = Array(
                Data([UInt8](repeating: 0, count: offset) + secret).base64EncodedString().utf8
            )
            let first = [0, 2, 3][offset]
            let bits = (offset + secret.count) * 8
            let whole = encoded[first..<max(first, bits / 6)]
            guard whole.count >= MirrorSecrets.leastCharacters else { continue }
            forms.append(Array(whole))
            forms.append(
                whole.map { byte in
                    switch byte {
                    case UInt8(ascii: "+"): UInt8(ascii: "-")
                    case UInt8(ascii: "/"): UInt8(ascii: "_")
                    default: byte
                    }
                }
            )
        }
        forms.append(Array(Data(secret).base64EncodedString().utf8))
        return forms
    }

    private static func percentEncoded(_ bytes: [UInt8], upper: Bool) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                return [byte]
            default:
                let digits = String(byte, radix: 16, uppercase: upper)
                return Array(("%" + (digits.count < 2 ? "0" : "") + digits).utf8)
            }
        }
    }
}
