package import Addresses
import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1
package import NIOPosix
package import NIOSSL
import Releases

/// Sends one delivery to its webhook.
///
/// The sender resolves the name, checks every address of it, and connects to one of the checked addresses:
/// a DNS change in between has no effect. Redirects are not followed, and only the head of the response is
/// read.
package struct WebhookSender: Sendable {
    private let policy: DeliveryPolicy
    private let resolver: NameResolver
    /// Certificate authorities that may sign receivers' certificates, in addition to the system's.
    private let authorities: [NIOSSLCertificate]
    private let clock: @Sendable () -> Date
    private let group: MultiThreadedEventLoopGroup
    private let mail: MailServer?

    /// - Parameters:
    ///   - policy: the time limits of an attempt.
    ///   - resolver: resolves names to addresses.
    ///   - authorities: certificate authorities to trust in addition to the system's.
    ///   - clock: returns the current time, which is signed.
    ///   - mail: the mail server; nil if the server was started without one.
    ///   - group: the event loops of connections.
    package init(
        policy: DeliveryPolicy = DeliveryPolicy(),
        resolver: @escaping NameResolver = NameResolution.system(),
        authorities: [NIOSSLCertificate] = [],
        clock: @escaping @Sendable () -> Date,
        mail: MailServer? = nil,
        group: MultiThreadedEventLoopGroup = .singleton,
    ) {
        self.policy = policy
        self.resolver = resolver
        self.authorities = authorities
        self.clock = clock
        self.group = group
        self.mail = mail
    }

    /// Makes one attempt; never throws, because the log reports every result.
    package func attempt(_ delivery: Delivery, to webhook: Webhook) async -> DeliveryAttempt {
        var attempt = DeliveryAttempt(date: clock())
        do {
            if case .mail(let receiver) = webhook.url.host {
                attempt.status = try await send(delivery, to: receiver, date: attempt.date)
                return attempt
            }
            let address = try await address(of: webhook, attempt: delivery.attempts)
            let head = try await send(delivery, to: webhook, at: address, date: attempt.date)
            attempt.status = Int(head.status.code)
            judge(head, &attempt)
        } catch let refusal as DeliveryRefusal {
            attempt.reason = refusal.description
        } catch let failure as MailFailure {
            attempt.reason = failure.description
            attempt.isHopeless = failure.isHopeless
        } catch {
            attempt.reason = DeliveryRefusal.reason(of: error, policy: policy)
        }
        return attempt
    }

    /// Sends the notice to the mail server.
    private func send(
        _ delivery: Delivery,
        to receiver: MailAddress,
        date: Date,
    ) async throws -> Int {
        guard let mail else { throw MailFailure.noServer }
        let message = MailMessage(
            of: delivery.notice,
            as: delivery.identifier,
            (from: mail.from, to: receiver),
            at: date,
        )
        return try await MailSender(
            server: mail,
            timeout: policy.mailTimeout,
            connectTimeout: policy.connectTimeout,
            group: group,
        ).send(message, to: receiver)
    }

    private func judge(_ head: HTTPClientResponse, _ attempt: inout DeliveryAttempt) {
        switch head.status.code {
        case 200..<300:
            break
        case 300..<400:
            // Not followed, but tried again: a receiver behind a sign-in page or in maintenance may
            // redirect only for a while.
            attempt.reason =
                "the receiver answered with a redirect (status \(head.status.code)), which is not "
                + "followed"
        case 410:
            attempt.reason = "the receiver answered that it is gone"
            attempt.isHopeless = true
        default:
            attempt.reason = "the receiver answered with status \(head.status.code)"
            attempt.retryAfter = head.headers.first(name: "retry-after")
                .flatMap { Int($0) }
                .flatMap { (0...Int(policy.longestPause)).contains($0) ? TimeInterval($0) : nil }
        }
    }

    /// Returns an address of the webhook that may be connected to; a different one at each attempt.
    private func address(of webhook: Webhook, attempt: Int) async throws -> InternetAddress {
        let all: [InternetAddress]
        switch webhook.url.host {
        case .address(let address): all = [address]
        case .name(let name): all = try await resolver(name)
        case .mail: all = []
        }
        for address in all {
            let scope = address.scope
            // One forbidden address rejects the name: it must not matter which address is used.
            guard scope.isAllowed(private: webhook.allowsPrivate) else {
                throw DeliveryRefusal.address(address, scope)
            }
        }
        guard !all.isEmpty else { throw DeliveryRefusal.noAddress }
        return all[max(attempt - 1, 0) % all.count]
    }

    private func send(
        _ delivery: Delivery,
        to webhook: Webhook,
        at address: InternetAddress,
        date: Date,
    ) async throws -> HTTPClientResponse {
        let request = try request(for: delivery, to: webhook, date: date)
        let client = HTTPClient(
            eventLoopGroupProvider: .shared(group),
            configuration: try configuration(for: webhook, at: address),
        )
        do {
            let response = try await client.execute(request, timeout: TimeAmount(policy.timeout))
            try await client.shutdown()
            return response
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    private func request(
        for delivery: Delivery,
        to webhook: Webhook,
        date: Date,
    ) throws -> HTTPClientRequest {
        // Both URL parsers must agree on the host, because otherwise the connection might go to an
        // unchecked address.
        guard let url = URL(string: webhook.url.text), let host = url.host(percentEncoded: false),
            host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")) == webhook.url.hostName
        else { throw DeliveryRefusal.ambiguous }
        let body = try WebhookPayload.body(
            of: delivery,
            for: webhook.kind,
            template: webhook.template,
        )
        let timestamp = "\(Int(date.timeIntervalSince1970))"
        var request = HTTPClientRequest(url: webhook.url.text)
        request.method = .POST
        request.headers = [
            "Content-Type": "application/json",
            "User-Agent": "ota",
            "X-Ota-Delivery": delivery.identifier,
            "X-Ota-Event": delivery.notice.event.rawValue,
            "X-Ota-Timestamp": timestamp,
        ]
        if let secret = webhook.secret {
            request.headers.add(
                name: "X-Ota-Signature",
                value: WebhookPayload.signature(of: body, timestamp: timestamp, secret: secret),
            )
        }
        request.body = .bytes(ByteBuffer(bytes: body))
        return request
    }

    private func configuration(
        for webhook: Webhook,
        at address: InternetAddress,
    ) throws -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        if !authorities.isEmpty { tls.additionalTrustRoots = [.certificates(authorities)] }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: .init(
                connect: TimeAmount(policy.connectTimeout),
                read: TimeAmount(policy.timeout),
            ),
            decompression: .disabled,
        )
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        if case .name(let name) = webhook.url.host {
            configuration.dnsOverride = [name: address.description]
        }
        return configuration
    }
}
