import Bytes
import Cryptography
import Mirrors

/// `hook`: only the secret authenticates a delivery, and its names are short.
///
/// The input is header fields, one on each line, an empty line, and the body.
struct HookDeliveries: PlainInputKind {
    static let name = "hook"

    private static let secret = "0123456789 a secret that nobody guesses"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let code = String(repeating: "0a", count: 32)
        let cases = [
            "x-github-event: push\nx-github-delivery: a\nx-hub-signature-256: sha256=\(code)\n"
                + "content-type: application/json\n\n{\"ref\":\"refs/heads/main\"}",
            "x-gitlab-event: Tag Push Hook\nx-gitlab-token: a\nx-gitlab-event-uuid: b\n\na=b",
            "x-gitea-event: ping\nx-gitea-signature: \(code)\ncontent-type: application/json\n\n[",
            "x-ota-signature: sha256=\(code)\nx-ota-delivery: c\n\n[[[[{\"a\":[1e9,-0.1,\"\\u00e9\"]}]]]]",
        ]
        return Dictionary(
            uniqueKeysWithValues: cases.enumerated().map { ("\($0)", Array($1.utf8)) }
        )
    }

    func check(_ input: [UInt8]) {
        let (fields, body) = Self.parts(of: input)
        let delivery = Self.delivery(fields, body)
        promise(!delivery.isProven, "a delivery is proven without the secret")
        promise(
            delivery.identifiers.allSatisfy { $0.utf8.count == 33 }
                && (1...2).contains(delivery.identifiers.count),
            "a delivery has long names",
        )
        _ = delivery.event
        let code = Hex.encode(authenticationCode(of: body, key: Array(Self.secret.utf8)))
        let proofs = [
            "x-hub-signature-256": "sha256=" + code, "x-ota-signature": "sha256=" + code,
            "x-gitea-signature": code, "x-gogs-signature": code, "x-gitlab-token": Self.secret,
        ]
        checkProofs(proofs, fields, body)
        var plain = fields
        plain["content-type"] = "application/json"
        let json = Self.delivery(plain, body)
        promise(
            delivery.isWellFormed || !json.isWellFormed || body.isEmpty,
            "a body is JSON under one type alone",
        )
    }

    /// Passes the body in two pieces.
    private static func delivery(_ fields: [String: String], _ body: [UInt8]) -> HookDelivery {
        var reception = HookReception(fields: fields, secret: HookSecret(secret))
        if !body.isEmpty {
            reception.update(body[..<(body.count / 2)])
            reception.update(body[(body.count / 2)...])
        }
        return reception.finish()
    }

    /// Each proof alone is sufficient, and none makes up for a wrong one next to it.
    private func checkProofs(
        _ proofs: [String: String],
        _ fields: [String: String],
        _ body: [UInt8],
    ) {
        let name = proofs.keys.sorted()[body.count % proofs.count]
        var proven = fields.filter { proofs[$0.key] == nil }
        proven[name] = proofs[name]
        promise(
            Self.delivery(proven, body).isProven,
            "\(name) does not prove a delivery",
        )
        promise(
            !Self.delivery(proven, body + [0]).isProven
                || name == "x-gitlab-token",
            "\(name) proves another body",
        )
        guard fields.contains(where: { proofs[$0.key] != nil && $0.key != name }) else { return }
        let both = fields.merging([name: proofs[name] ?? ""]) { $1 }
        promise(
            !Self.delivery(both, body).isProven
                || both.allSatisfy {
                    proofs[$0.key] == nil || Self.isSame($0.value, proofs[$0.key])
                },
            "\(name) makes up for a wrong proof",
        )
    }

    /// Whether the hexadecimal digits are equal, ignoring case.
    private static func isSame(_ given: String, _ wanted: String?) -> Bool {
        given == wanted || given.lowercased() == wanted?.lowercased()
    }

    private static func parts(of input: [UInt8]) -> ([String: String], [UInt8]) {
        var fields: [String: String] = [:]
        var rest = input[...]
        while let end = rest.firstIndex(of: 10) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            guard !line.isEmpty else { break }
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            let value = line[name.endIndex...].dropFirst().drop { $0 == 32 }
            fields[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
        }
        return (fields, Array(rest))
    }
}
