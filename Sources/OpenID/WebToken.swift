import Bytes
import Cryptography
import Essentials

/// A signed token as it came, of which nothing is believed yet (RFC 7515 section 7.1).
struct WebToken: Sendable {
    /// Bytes of the longest token, and of its header.
    static let limit = 32 << 10
    private static let headerLimit = 4 << 10

    let algorithm: WebAlgorithm
    /// Which key signed it, as it says itself.
    let keyIdentifier: String?
    /// What it says it is, lower case.
    let type: String?
    private let payload: [UInt8]
    private let signature: [UInt8]
    private let signed: [UInt8]

    /// - Throws: ``SignInRefusal``: `unsigned`, `sharedKey`, `otherAlgorithm`, `unknownExtension`, `badToken`.
    init(_ text: String) throws(SignInRefusal) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.limit, parts.count == 3,
            parts[0].count <= Self.headerLimit,
            let header = Base64URL.bytes(String(Substring(parts[0]))),
            let payload = Base64URL.bytes(String(Substring(parts[1])))
        else { throw SignInRefusal(.badToken) }
        let fields = try TokenFields(header, in: .badToken)
        guard let named = fields.text("alg") else { throw SignInRefusal(.unsigned) }
        // `none` is written in any case by those who hope that it is compared carelessly.
        guard !named.utf8.map({ $0 | 0x20 }).elementsEqual("none".utf8) else {
            throw SignInRefusal(.unsigned)
        }
        let shown = PrintableText(escaping: named, limit: 20).text
        guard !named.hasBytes(first: "HS") else { throw SignInRefusal(.sharedKey, shown) }
        guard let algorithm = WebAlgorithm(rawValue: named) else {
            throw SignInRefusal(.otherAlgorithm, shown)
        }
        guard !fields.has("crit"), !fields.has("b64") else {
            throw SignInRefusal(.unknownExtension)
        }
        guard let signature = Base64URL.bytes(String(Substring(parts[2]))), !signature.isEmpty
        else {
            throw SignInRefusal(.badToken)
        }
        self.algorithm = algorithm
        keyIdentifier = fields.text("kid")
        type = fields.text("typ")?.lowercased()
        self.payload = payload
        self.signature = signature
        signed = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
    }

    /// What the token says, if one of the keys has signed it.
    ///
    /// - Throws: ``SignInRefusal``: `unknownKey`, `otherAlgorithm` for keys that are for something else, and
    ///   `badSignature`.
    func fields(signedBy keys: [WebKey]) throws(SignInRefusal) -> TokenFields {
        guard !keys.isEmpty else {
            let name = keyIdentifier.map { PrintableText(escaping: $0, limit: 60).text }
            throw SignInRefusal(.unknownKey, name ?? "it names none")
        }
        // What a key is for is the key's to say; the token only says which of that was used.
        let fitting = keys.filter { $0.algorithms.contains(algorithm) }
        guard !fitting.isEmpty else { throw SignInRefusal(.otherAlgorithm, algorithm.rawValue) }
        guard
            fitting.contains(where: { $0.key.verifies(signature, over: signed, by: algorithm) })
        else { throw SignInRefusal(.badSignature) }
        return try TokenFields(payload, in: .badToken)
    }
}
