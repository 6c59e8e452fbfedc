import AppleDeveloper
@testable import AppleServer
import Bytes
import Cryptography
import Foundation
import HTTPCalling
import Sample
import TestSupport
import Testing

/// The App Store Connect test server without a process or a network, with a test's clock.
final class AppleInProcess: Sendable {
    private struct Issued: Decodable {
        let pem: String
    }

    static let origin = "https://apple.test"

    let issuer = "57246542-96fe-1a63-e053-0824d011072a"
    let keyID = "2X9R4HXF34"
    /// The API key.
    let key: PrivateKey
    /// The authority that signs profiles and certificates.
    let authority: SigningAuthority
    private let api: AppleAPI

    init(_ clock: LoopClock) throws {
        key = try PrivateKey.generate(.p256)
        authority = try SigningAuthority.cached()
        api = AppleAPI(
            authority: authority,
            token: TokenCheck(issuer: issuer, keyID: keyID, key: PublicKey(of: key)),
            contracts: [Contract.facts].compactMap(\.self),
            clock: { clock.now },
        )
    }

    func answer(
        to request: CallRequest
    ) throws(CallTrouble) -> CallAnswer {
        let answer = send(
            request.method,
            String(request.address.dropFirst(Self.origin.utf8.count)),
            request.body ?? [],
            authorization: request.headers["authorization"],
        )
        guard !answer.isCut else {
            throw .unreachable(reason: "the connection was closed without an answer")
        }
        return CallAnswer(
            status: answer.status,
            headers: Dictionary(
                answer.headers.map { ($0.name.lowercased(), $0.value) },
                uniquingKeysWith: { first, _ in first },
            ),
            body: answer.body,
        )
    }

    /// Sets traps, or does what people do on Apple's website, by a `ControlOrder` in JSON.
    func order(_ json: String) {
        let answer = send("POST", "/control/orders", Array(json.utf8))
        #expect(answer.status == 204, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    /// Returns a certificate of the account with its private key, which expires after the given number of
    /// days.
    func identity(days: Double) throws -> SigningIdentity {
        order(#"{"certificateDays": \#(days)}"#)
        let body = send("POST", "/control/identities", []).body
        order(#"{"certificateDays": 365}"#)
        let pem = try JSONDecoder().decode(Issued.self, from: Data(body)).pem
        let file = try IdentityFile(reading: Array(pem.utf8), passphrase: nil)
        return try #require(file.identities.first)
    }

    /// Saves the account's state for ``returnToRemembered()``.
    func remember() { _ = send("POST", "/control/remember", []) }

    /// Restores the account's state, and forgets all requests and traps.
    func returnToRemembered() { _ = send("POST", "/control/return", []) }

    func report() throws -> AppleReport {
        try JSONDecoder().decode(
            AppleReport.self,
            from: Data(send("GET", "/control/state", []).body),
        )
    }

    private func send(
        _ method: String,
        _ target: String,
        _ body: [UInt8],
        authorization: String? = nil,
    ) -> AppleAnswer {
        api.answer(
            to: ReceivedRequest(
                method: method,
                target: target,
                authorization: authorization,
                body: body,
            ),
            origin: Self.origin,
        )
    }
}
