package import Addresses
import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1
package import NIOPosix
package import NIOSSL
import Releases

/// Brings one delivery to its webhook.
///
/// The name is resolved here, every address that it has is judged, and the connection goes to one
/// that was judged: a name that changes its address in between changes nothing. Redirects are not
/// followed, and of the answer only its head is read.
package struct WebhookSender: Sendable {
    private let policy: DeliveryPolicy
    private let resolver: NameResolver
    /// Authorities beside the system's that receivers may be signed by.
    private let authorities: [NIOSSLCertificate]
    private let clock: @Sendable () -> Date
    private let group: MultiThreadedEventLoopGroup

    /// - Parameters:
    ///   - policy: how long an attempt may take.
    ///   - resolver: finds the addresses of names.
    ///   - authorities: which to trust beside the system's.
    ///   - clock: the present, which is signed.
    ///   - group: where connections live.
    package init(
        policy: DeliveryPolicy = DeliveryPolicy(),
        resolver: @escaping NameResolver = NameResolution.system(),
        authorities: [NIOSSLCertificate] = [],
        clock: @escaping @Sendable () -> Date,
        group: MultiThreadedEventLoopGroup = .singleton,
    ) {
        self.policy = policy
        self.resolver = resolver
        self.authorities = authorities
        self.clock = clock
        self.group = group
    }

    /// Tries once; never throws, for whatever happens is what the log tells.
    package func attempt(_ delivery: Delivery, to webhook: Webhook) async -> DeliveryAttempt {
        var attempt = DeliveryAttempt(date: clock())
        do {
            let address = try await address(of: webhook, attempt: delivery.attempts)
            let head = try await send(delivery, to: webhook, at: address, date: attempt.date)
            attempt.status = Int(head.status.code)
            judge(head, &attempt)
        } catch let refusal as DeliveryRefusal {
            attempt.reason = refusal.description
        } catch {
            attempt.reason = DeliveryRefusal.reason(of: error, policy: policy)
        }
        return attempt
    }

    private func judge(_ head: HTTPClientResponse, _ attempt: inout DeliveryAttempt) {
        switch head.status.code {
        case 200..<300:
            break
        case 300..<400:
            // Not followed, but tried again: a receiver behind a sign-in page or in maintenance
            // redirects for a while, as it fails for a while.
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

    /// An address of the webhook that may be connected to; another one at each attempt.
    private func address(of webhook: Webhook, attempt: Int) async throws -> InternetAddress {
        let all: [InternetAddress]
        switch webhook.url.host {
        case .address(let address): all = [address]
        case .name(let name): all = try await resolver(name)
        }
        for address in all {
            let scope = address.scope
            // One address out of bounds spoils the name: which one is used must not matter.
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
        // Two readers of URLs must agree on the host, or the judged address would not be used.
        guard let url = URL(string: webhook.url.text), let host = url.host(percentEncoded: false),
            host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")) == webhook.url.hostName
        else { throw DeliveryRefusal.ambiguous }
        let body = try WebhookPayload.body(of: delivery, for: webhook.kind)
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

/// Why nothing was sent, or what kept the answer away; it becomes the outcome in the journal.
enum DeliveryRefusal: Error, CustomStringConvertible {
    case address(InternetAddress, AddressScope)
    case noAddress
    case ambiguous

    var description: String {
        switch self {
        case .address(let address, let scope):
            "it is at \(address), which is \(scope.reason); nothing was sent"
        case .noAddress: "the name has no address"
        case .ambiguous: "the URL can be read in two ways; nothing was sent"
        }
    }

    /// What a library says, in a few words.
    static func reason(of error: any Error, policy: DeliveryPolicy) -> String {
        switch error {
        case let failure as NameResolutionFailure: failure.description
        case let failure as HTTPClientError: reason(of: failure, policy: policy)
        case let error as NIOSSLExtraError
        where error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch:
            "its certificate is for another name than the URL, so nothing was sent"
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            "TLS failed: \(NoticeWriter.plain("\(error)"))"
        case let error as IOError: reason(ofCode: error.errnoCode)
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { reason(of: $0.error, policy: policy) }
                ?? "the name has no address that can be reached"
        default: NoticeWriter.plain("\(error)")
        }
    }

    /// What the system says of a connection, without the numbers around it.
    private static func reason(ofCode code: CInt) -> String {
        switch code {
        case ECONNREFUSED: "connection refused"
        case ECONNRESET, EPIPE: "the connection was reset"
        case ETIMEDOUT: "the connection timed out"
        case EHOSTUNREACH: "no route to the host"
        case ENETUNREACH: "the network is unreachable"
        default: unsafe String(cString: strerror(code)).lowercased()
        }
    }

    private static func reason(of failure: HTTPClientError, policy: DeliveryPolicy) -> String {
        switch failure {
        case .connectTimeout: "no connection within \(policy.connectTimeout)"
        case .deadlineExceeded, .readTimeout: "no answer within \(policy.timeout)"
        case .tlsHandshakeTimeout: "no TLS connection within \(policy.timeout)"
        case .remoteConnectionClosed: "the connection was closed without an answer"
        default: NoticeWriter.plain("\(failure)")
        }
    }
}
