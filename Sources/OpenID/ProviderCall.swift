import Bytes
import Cryptography
import Essentials
import HTTPCalling

/// Sends requests to a provider, with limits on time and size; redirects are not followed.
struct ProviderCall: Sendable {
    /// The timeout of one request in seconds; a sign-in needs at most four.
    static let seconds = 5
    /// The maximum size of a response with tokens in bytes.
    static let tokenLimit = 128 << 10

    let transport: any CallTransport

    /// Fetches a document.
    ///
    /// - Throws: ``SignInRefusal``.
    func document(
        _ address: String,
        atMost limit: Int,
        bearing token: String? = nil,
    ) async throws(SignInRefusal) -> [UInt8] {
        var headers = ["accept": "application/json"]
        if let token { headers["authorization"] = "Bearer \(token)" }
        let answer = try await answer(
            CallRequest(
                method: "GET",
                address: address,
                headers: headers,
                longestAnswer: limit,
                seconds: Self.seconds,
            )
        )
        guard answer.status == 200 else {
            throw SignInRefusal(.badAnswer, "status \(answer.status)")
        }
        return answer.body
    }

    /// Posts a form to the token endpoint.
    ///
    /// - Throws: ``SignInRefusal``; `codeRefused` when the provider denies the request.
    func tokens(
        from metadata: ProviderMetadata,
        _ form: [(String, String)],
        as client: ClientIdentity,
    ) async throws(SignInRefusal) -> TokenFields {
        var form = form
        var headers = [
            "accept": "application/json", "content-type": "application/x-www-form-urlencoded",
        ]
        if let secret = client.secret {
            if metadata.clientMethods.contains("client_secret_basic") {
                let pair = FormText.encoded(client.identifier) + ":" + FormText.encoded(secret)
                headers["authorization"] = "Basic " + Data(pair.utf8).base64EncodedString()
            } else if metadata.clientMethods.contains("client_secret_post") {
                form += [("client_id", client.identifier), ("client_secret", secret)]
            } else {
                throw SignInRefusal(
                    .noSharedMethod,
                    PrintableText(
                        escaping: metadata.clientMethods.joined(separator: ", "),
                        limit: 100,
                    ).text,
                )
            }
        } else {
            form.append(("client_id", client.identifier))
        }
        let answer = try await answer(
            CallRequest(
                method: "POST",
                address: metadata.tokenEndpoint,
                headers: headers,
                body: Array(FormText.text(form).utf8),
                longestAnswer: Self.tokenLimit,
                seconds: Self.seconds,
            )
        )
        if [400, 401, 403].contains(answer.status) {
            let error = (try? TokenFields(answer.body, in: .badAnswer))?.text("error")
            throw SignInRefusal(
                .codeRefused,
                error.map { PrintableText(escaping: $0, limit: 60).text }
                    ?? "status \(answer.status)",
            )
        }
        guard answer.status == 200 else {
            throw SignInRefusal(.badAnswer, "status \(answer.status)")
        }
        return try TokenFields(answer.body, in: .badAnswer)
    }

    private func answer(_ request: CallRequest) async throws(SignInRefusal) -> CallAnswer {
        do throws(CallTrouble) {
            return try await transport.answer(to: request)
        } catch {
            throw SignInRefusal(error)
        }
    }
}

/// This server's client ID and secret at a provider.
package struct ClientIdentity: Sendable {
    package let identifier: String
    /// Nil for a public client.
    package let secret: String?

    package init(_ identifier: String, secret: String?) {
        self.identifier = identifier
        self.secret = secret
    }
}

/// Encodes `application/x-www-form-urlencoded`.
package enum FormText {
    /// Joins pairs of encoded names and values.
    package static func text(_ fields: [(String, String)]) -> String {
        fields.map { encoded($0.0) + "=" + encoded($0.1) }.joined(separator: "&")
    }

    /// Encodes a name or value: every byte but letters, digits and `-._~`.
    package static func encoded(_ text: String) -> String {
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                escaped.append(byte)
            default: escaped += Array("%\(Hex.encode([byte]).uppercased())".utf8)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

extension SignInRefusal {
    /// The refusal for a request without a response.
    init(_ trouble: CallTrouble) {
        switch trouble {
        case .untrusted(let reason), .unreachable(let reason): self.init(.unreachable, reason)
        case .tooSlow(let seconds): self.init(.tooSlow, "\(seconds) seconds")
        case .answerTooLarge(let limit): self.init(.answerTooLarge, "\(limit.grouped) bytes")
        case .interrupted: self.init(.unreachable, "the server is stopping")
        }
    }
}
