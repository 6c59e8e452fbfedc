import Bytes
import Cryptography
import Foundation
@testable import ObjectStore
import StoreFixtures
import TestSupport
import Testing

@testable import Store

/// Large blobs that are uploaded to an object store while they are inspected.
@Suite(.enabled(if: StorePlace.Kind.allCases.contains(.object)), .timeLimit(.minutes(5)))
struct EarlyPutTests {
    private static func receive(
        _ bytes: [UInt8],
        by backend: any Backend,
    ) throws -> any IncomingBlob {
        let incoming = try backend.receive()
        try unsafe bytes.withUnsafeBytes { try unsafe incoming.append($0) }
        return incoming
    }

    @Test func `what was sent early is there with its commit, and what was given up never`()
        async throws
    {
        try await withPlace(.object) { place in
            let backend = try #require(try place.openOrCreate().backend as? ObjectBackend)
            for (number, outcome) in ["committed", "refused", "of two, one refused"].enumerated() {
                let bytes = [UInt8](repeating: UInt8(number), count: 20 << 20)
                let digest = SHA256Digest(of: bytes)
                let incoming = try Self.receive(bytes, by: backend)
                let early = try #require(backend.earlyPut(of: incoming.source()))
                early.begin(as: digest)
                #expect(try backend.facts(of: digest) == nil, "\(outcome)")
                if outcome == "of two, one refused" {
                    let other = try Self.receive(bytes, by: backend)
                    let second = try #require(backend.earlyPut(of: other.source()))
                    second.begin(as: digest)
                    second.end()
                }
                if outcome != "refused" { try incoming.commit(as: digest) }
                early.end()
                let size = try backend.facts(of: digest)?.size
                #expect(size == (outcome == "refused" ? nil : bytes.count), "\(outcome)")
                #expect(backend.early.take(digest) == nil)
            }
            let small = try Self.receive([1, 2, 3], by: backend)
            #expect(try backend.earlyPut(of: small.source()) == nil, "it is one request anyway")
        }
    }
}
