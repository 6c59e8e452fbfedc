import Bytes
import Cryptography
import Enrolment
import Foundation
import PropertyLists
import Sample
import TestSupport
import Testing

/// How much time strangers can cost the server: every response takes less than 100 ms.
@Suite(.serialized)
struct EnrolmentTimeTests {
    private struct Attack {
        let name: String
        let bytes: [UInt8]
    }

    @Test func `no answer takes a tenth of a second to refuse`() throws {
        let enrolling = try Enrolling()
        for attack in try attacks(on: enrolling) {
            let times = (0..<5).map { _ in
                processorTime {
                    #expect(enrolling.refusal(of: attack.bytes) != nil, "\(attack.name)")
                }
            }
            let best = try #require(times.min())
            if ProcessInfo.processInfo.environment["OTA_TIMES"] != nil {
                print("\(attack.name): \(best), \(attack.bytes.count) bytes")
            }
            #expect(best < .milliseconds(100), "\(attack.name)")
        }
    }

    private func attacks(on enrolling: Enrolling) throws -> [Attack] {
        let device = enrolling.device
        let good = try device.answer(challenge: enrolling.challenge)
        let stranger = try SampleDevice(certifiedBy: DeviceAuthority())
        let deep = String(repeating: "<array>", count: 8_000)
        let wide = "<plist version=\"1.0\"><array>" + String(repeating: "<true/>", count: 8_000)
        return try [
            Attack(name: "10 MiB", bytes: [UInt8](repeating: 0x30, count: 10 << 20)),
            Attack(name: "indefinite nesting", bytes: Self.repeated([0x30, 0x80], 32_768)),
            Attack(name: "empty elements", bytes: Self.wrapped(Self.repeated([5, 0], 32_000))),
            Attack(name: "1,900 nested sequences", bytes: Self.repeated([0x30, 0x80], 1_900)),
            Attack(name: "wrong authority", bytes: stranger.answer(challenge: "x")),
            Attack(name: "wrong challenge", bytes: device.answer(challenge: "x")),
            Attack(name: "cut short", bytes: Array(good.dropLast(10))),
            Attack(name: "deep property list", bytes: device.sign(Array(deep.utf8))),
            Attack(name: "wide property list", bytes: device.sign(Array(wide.utf8))),
            Attack(name: "RSA 16384", bytes: Self.message(keyed: (2_048, 8))),
            Attack(name: "RSA 3072, exponent 3072", bytes: Self.message(keyed: (384, 384))),
            Attack(name: "RSA 3072, 7 more", bytes: Self.message(keyed: (384, 384), copies: 8)),
            Attack(
                name: "RSA 3072, 31 more",
                bytes: Self.message(keyed: (384, 384), copies: 32),
            ),
        ]
    }

    private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        Array(repeatElement(bytes, count: count).joined())
    }

    private static func wrapped(_ bytes: [UInt8]) -> [UInt8] { DERBytes.element(0x30, bytes) }

    /// A message whose signer has a key that is as slow to verify with as its sizes in bytes allow.
    private static func message(keyed sizes: (Int, Int), copies: Int = 1) throws -> [UInt8] {
        let name = DistinguishedName(commonName: "Apple iPhone Device CA")
        let rsa = DERBytes.sequence(
            DERBytes.objectIdentifier("1.2.840.113549.1.1.1"),
            DERBytes.null,
        )
        let key = DERBytes.sequence(
            DERBytes.integer(magnitude: [UInt8](repeating: 0xfb, count: sizes.0)),
            DERBytes.integer(magnitude: [UInt8](repeating: 0xf1, count: sizes.1)),
        )
        let algorithm = DERBytes.sequence(
            DERBytes.objectIdentifier("1.2.840.113549.1.1.11"),
            DERBytes.null,
        )
        let certificates = (1...UInt(copies)).map { serial in
            let unsigned = DERBytes.sequence(
                DERBytes.context(0, DERBytes.integer(2)),
                DERBytes.integer(serial),
                algorithm,
                name.der,
                DERBytes.sequence(
                    DERBytes.time(Enrolling.now - 86_400),
                    DERBytes.time(Enrolling.now + 86_400),
                ),
                name.der,
                DERBytes.sequence(rsa, DERBytes.bitString(key)),
            )
            return DERBytes.sequence(
                unsigned,
                algorithm,
                DERBytes.bitString([UInt8](repeating: 1, count: sizes.0)),
            )
        }
        let digest = DERBytes.sequence(DERBytes.objectIdentifier("2.16.840.1.101.3.4.2.1"))
        let signer = DERBytes.sequence(
            DERBytes.integer(1),
            DERBytes.sequence(name.der, DERBytes.integer(1)),
            digest,
            algorithm,
            DERBytes.octetString([UInt8](repeating: 1, count: sizes.0)),
        )
        let data = DERBytes.sequence(
            DERBytes.integer(1),
            DERBytes.set(of: [digest]),
            DERBytes.sequence(
                DERBytes.objectIdentifier(.data),
                DERBytes.context(0, DERBytes.octetString([1, 2, 3])),
            ),
            DERBytes.element(0xa0, certificates),
            DERBytes.set(of: [signer]),
        )
        return DERBytes.sequence(
            DERBytes.objectIdentifier(.signedData),
            DERBytes.context(0, data),
        )
    }
}
