package import Access
import Bytes
import Cryptography
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
package import Releases

/// A running server, and the token that is sent to it.
///
/// Each request has a connection of its own: a command makes only a few. Redirects are not followed,
/// because they would send the token elsewhere.
package struct ServerConnection: Sendable {
    package let url: BaseURL
    private let secret: TokenSecret
    private let trust: ServerTrust
    private let proxy: ProxyServer?

    /// The largest response, in bytes.
    private static let answerLimit = 32 << 20
    static let connectTime = TimeAmount.seconds(10)
    static let silence = TimeAmount.seconds(60)

    /// - Parameters:
    ///   - url: the address of the server.
    ///   - secret: the token that every request carries.
    ///   - trust: how the server proves its identity.
    ///   - proxy: the proxy in front of the network; nil for a direct connection.
    package init(
        to url: BaseURL,
        showing secret: TokenSecret,
        trusting trust: ServerTrust,
        through proxy: ProxyServer?,
    ) {
        self.url = url
        self.secret = secret
        self.trust = trust
        self.proxy = proxy
    }

    /// Sends a request and waits for the whole response, whatever its status.
    ///
    /// - Throws: ``ServerFailure`` if no response arrived.
    package func answer(to request: ServerRequest) async throws -> ServerAnswer {
        try await answer(to: request, sending: nil)
    }

    /// Sends a request; if `file` is given, the body is a part of a file.
    func answer(to request: ServerRequest, sending file: UploadFile?) async throws -> ServerAnswer {
        try await answer(to: request, sending: file, keeping: nil)
    }

    /// Sends a request, and passes the body of a successful response on as it arrives.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - keep: receives each piece of the body.
    /// - Returns: the response, whose body is empty if `keep` received it.
    /// - Throws: ``ServerFailure`` if no response arrived, and what `keep` throws.
    func answer(
        to request: ServerRequest,
        keeping keep: @escaping @Sendable ([UInt8]) throws -> Void,
    ) async throws -> ServerAnswer {
        try await answer(to: request, sending: nil, keeping: keep)
    }

    private func answer(
        to request: ServerRequest,
        sending file: UploadFile?,
        keeping keep: (@Sendable ([UInt8]) throws -> Void)?,
    ) async throws -> ServerAnswer {
        let tunnel = proxy.map { ProxyTunnel(through: $0, to: url, trusting: trust) }
        let dialer = ServerDialer(url: url, tunnel: tunnel)
        let policy = try await dialer.policy(for: trust)
        do {
            let connection = try await dialer.connect(policy)
            return try await connection.executeThenClose { inbound, outbound in
                // The server may respond and close the connection before the whole body was sent.
                var failure: (any Error)?
                do {
                    try await write(request, file, to: outbound)
                } catch let failure as SourceFailure {
                    throw failure
                } catch {
                    failure = error
                }
                do {
                    return try await read(inbound, keep)
                } catch ServerFailure.cut {
                    // A failed write is more informative than a response that never began.
                    throw failure ?? ServerFailure.cut(url)
                }
            }
        } catch let failure as SourceFailure {
            throw failure
        } catch let failure as NotKept {
            throw failure.reason
        } catch {
            let failure = ServerFailure(error, from: url)
            guard case .misnamed(_, let names) = failure, names.isEmpty else { throw failure }
            throw ServerFailure.misnamed(url, names: await dialer.shownNames())
        }
    }

    /// The response arrived, but could not be written to the disk.
    private struct NotKept: Error {
        let reason: any Error
    }

    private func write(
        _ request: ServerRequest,
        _ file: UploadFile?,
        to outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>,
    ) async throws {
        guard let file else {
            try await outbound.write(contentsOf: parts(of: request) + [.end(nil)])
            return
        }
        try await outbound.write(contentsOf: parts(of: request, bytes: file.range.count))
        for try await piece in file { try await outbound.write(.body(.byteBuffer(piece))) }
        try await outbound.write(.end(nil))
    }

    private func parts(of request: ServerRequest, bytes: Int? = nil) -> [HTTPClientRequestPart] {
        var headers: HTTPHeaders = [
            "host": url.host + (url.port.map { ":\($0)" } ?? ""),
            "authorization": "Bearer \(secret.text)",
            "accept": "application/json, application/problem+json",
            "user-agent": "ota",
            "connection": "close",
        ]
        for field in request.fields { headers.add(name: field.name, value: field.value) }
        if let count = bytes ?? request.body?.count {
            headers.add(name: "content-length", value: "\(count)")
        }
        let head = HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: request.method.rawValue),
            uri: url.path + request.path,
            headers: headers,
        )
        let body = request.body.map {
            [HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: $0)))]
        }
        return [.head(head)] + (body ?? [])
    }

    private func read(
        _ inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>,
        _ keep: (@Sendable ([UInt8]) throws -> Void)?,
    ) async throws -> ServerAnswer {
        var head: HTTPResponseHead?
        var body: [UInt8] = []
        for try await part in inbound {
            switch part {
            case .head(let found): head = found
            case .body(let bytes):
                if let keep, let status = head?.status.code, (200..<300).contains(status) {
                    do {
                        try keep(Array(bytes.readableBytesView))
                    } catch {
                        throw NotKept(reason: error)
                    }
                    continue
                }
                guard body.count + bytes.readableBytes <= Self.answerLimit else {
                    throw ServerFailure.notUnderstood(url, status: Int(head?.status.code ?? 0))
                }
                body += Array(bytes.readableBytesView)
            case .end:
                guard let head else { break }
                return ServerAnswer(
                    status: Int(head.status.code),
                    fields: head.headers.map { ($0.name, $0.value) },
                    body: body,
                )
            }
        }
        throw ServerFailure.cut(url)
    }
}
