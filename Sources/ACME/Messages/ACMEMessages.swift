import Essentials

/// An authority's directory (RFC 8555 section 7.1.1).
struct ACMEDirectory: Decodable, Sendable {
    struct Terms: Decodable, Sendable {
        let externalAccountRequired: Bool?
    }

    let newNonce: String
    let newAccount: String
    let newOrder: String
    /// RFC 9773; nil when the authority suggests no renewal times.
    let renewalInfo: String?
    let meta: Terms?
}

/// The payload that creates an account, or finds the one of a key (RFC 8555 section 7.3).
struct ACMEAccountRequest: Encodable {
    let termsOfServiceAgreed = true
    let contact: [String]
}

/// The payload that changes the contact of an account (RFC 8555 section 7.3.2).
struct ACMEContactChange: Encodable {
    let contact: [String]
}

struct ACMEIdentifier: Codable, Equatable, Sendable {
    let type: String
    let value: String

    init(dns name: String) {
        type = "dns"
        value = name
    }
}

/// The payload that creates an order (RFC 8555 section 7.4, RFC 9773 section 5).
struct ACMEOrderRequest: Encodable {
    let identifiers: [ACMEIdentifier]
    let replaces: String?
}

/// An order (RFC 8555 section 7.1.3).
struct ACMEOrder: Decodable, Sendable {
    enum Status: String, Decodable, Sendable {
        case pending, ready, processing, valid, invalid
    }

    let status: Status
    let authorizations: [String]
    let finalize: String
    let certificate: String?
    let error: ACMEProblem?
}

/// An authorization (RFC 8555 section 7.1.4).
struct ACMEAuthorization: Decodable, Sendable {
    /// The authority's value as text, because later versions may add states.
    let status: String
    let identifier: ACMEIdentifier
    let challenges: [ACMEChallenge]
}

/// A challenge (RFC 8555 section 8).
struct ACMEChallenge: Decodable, Sendable {
    let type: String
    let url: String
    let status: String
    let token: String?
    let error: ACMEProblem?
}

/// The payload that submits the CSR (RFC 8555 section 7.4).
struct ACMEFinalization: Encodable {
    /// The CSR in base64url.
    let csr: String
}

/// The empty payload `{}`, which states that a challenge is ready (RFC 8555 section 7.5.1).
struct ACMEReadiness: Encodable {}

/// An error response (RFC 8555 section 6.7).
struct ACMEProblem: Decodable, Sendable {
    struct Part: Decodable, Sendable {
        let type: String?
        let detail: String?
        let identifier: ACMEIdentifier?
    }

    let type: String?
    let detail: String?
    let subproblems: [Part]?

    /// The last part of an error type of RFC 8555, such as `badNonce`; empty for any other type.
    var word: String { Self.word(of: type) }

    static func word(of type: String?) -> String {
        let prefix = "urn:ietf:params:acme:error:"
        guard let type, type.hasPrefix(prefix) else { return "" }
        return String(type.dropFirst(prefix.count))
    }
}
