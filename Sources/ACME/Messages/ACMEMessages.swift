import Essentials

/// What an authority offers (RFC 8555 section 7.1.1).
struct ACMEDirectory: Decodable, Sendable {
    struct Terms: Decodable, Sendable {
        let externalAccountRequired: Bool?
    }

    let newNonce: String
    let newAccount: String
    let newOrder: String
    /// RFC 9773; nil where the authority suggests no time for renewals.
    let renewalInfo: String?
    let meta: Terms?
}

/// What asks for an account, or confirms the one of a key (RFC 8555 section 7.3).
struct ACMEAccountRequest: Encodable {
    let termsOfServiceAgreed = true
    let contact: [String]
}

/// A new contact of an account (RFC 8555 section 7.3.2).
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

/// What asks for an order (RFC 8555 section 7.4, RFC 9773 section 5).
struct ACMEOrderRequest: Encodable {
    let identifiers: [ACMEIdentifier]
    let replaces: String?
}

/// RFC 8555 section 7.1.3.
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

/// RFC 8555 section 7.1.4.
struct ACMEAuthorization: Decodable, Sendable {
    /// As the authority says it; states of a later version are not `pending` and not `valid`.
    let status: String
    let identifier: ACMEIdentifier
    let challenges: [ACMEChallenge]
}

/// RFC 8555 section 8.
struct ACMEChallenge: Decodable, Sendable {
    let type: String
    let url: String
    let status: String
    let token: String?
    let error: ACMEProblem?
}

/// What hands in the request for a certificate (RFC 8555 section 7.4).
struct ACMEFinalization: Encodable {
    /// In base64url.
    let csr: String
}

/// `{}`, which says that a challenge is ready (RFC 8555 section 7.5.1).
struct ACMEReadiness: Encodable {}

/// Why an authority refuses something (RFC 8555 section 6.7).
struct ACMEProblem: Decodable, Sendable {
    struct Part: Decodable, Sendable {
        let type: String?
        let detail: String?
        let identifier: ACMEIdentifier?
    }

    let type: String?
    let detail: String?
    let subproblems: [Part]?

    /// The last part of a type of RFC 8555, such as `badNonce`; empty for any other.
    var word: String { Self.word(of: type) }

    static func word(of type: String?) -> String {
        let prefix = "urn:ietf:params:acme:error:"
        guard let type, type.hasPrefix(prefix) else { return "" }
        return String(type.dropFirst(prefix.count))
    }
}
