import Bytes
import Cryptography
import Foundation
import Testing

struct EncodingTests {
    @Test(arguments: [
        ("1.2.840.113549.1.7.2", "2a864886f70d010702"),
        ("2.5.4.3", "550403"),
        ("2.999.3", "883703"),
        ("0.9.2342.19200300.100.1.1", "0992268993f22c640101"),
    ])
    func `an object identifier keeps its arcs`(dotted: String, encoded: String) throws {
        let oid = try #require(OID(dotted))
        #expect(Hex.encode(oid.encoded) == encoded)
        #expect(oid.description == dotted)
        #expect(OID(encoded: oid.encoded) == oid)
    }

    @Test(arguments: ["", "1", "3.1", "1.40", "1..2", "1.2.x", "1.+2", "1.2.99999999999999999999"])
    func `text that is no object identifier is refused`(text: String) {
        #expect(OID(text) == nil)
    }

    @Test func `arcs too large to print do not trap`() {
        let oid = OID(encoded: [0x2a] + Array(repeating: 0xff, count: 40) + [0x7f])
        #expect(oid.description == "1.2.?")
        #expect(OID(encoded: []).description == "")
        #expect(OID(encoded: [0xff]).description == "")
    }

    @Test func `lengths and integers take the fewest octets`() {
        #expect(DERBytes.octetString([UInt8](repeating: 0, count: 127)).prefix(2) == [4, 127])
        #expect(
            DERBytes.octetString([UInt8](repeating: 0, count: 128)).prefix(3) == [4, 0x81, 128]
        )
        #expect(
            DERBytes.octetString([UInt8](repeating: 0, count: 256)).prefix(4) == [4, 0x82, 1, 0]
        )
        #expect(DERBytes.integer(0) == [2, 1, 0])
        #expect(DERBytes.integer(128) == [2, 2, 0, 128])
        #expect(DERBytes.integer(65_537) == [2, 3, 1, 0, 1])
        #expect(DERBytes.integer(magnitude: []) == [2, 1, 0])
    }

    @Test func `members of a set are sorted`() {
        let members = [DERBytes.integer(2), DERBytes.integer(1), DERBytes.boolean(true)]
        #expect(DERBytes.set(of: members) == [0x31, 9, 1, 1, 0xff, 2, 1, 1, 2, 1, 2])
    }

    @Test(arguments: [
        (0.0, "170d3730303130313030303030305a"),
        (951_782_400.0, "170d3030303232393030303030305a"),
        (2_524_607_999.9, "170d3439313233313233353935395a"),
        (2_524_608_000.0, "180f32303530303130313030303030305a"),
        (-631_152_001.0, "180f31393439313233313233353935395a"),
    ])
    func `times change form with their century`(seconds: Double, encoded: String) {
        #expect(Hex.encode(DERBytes.time(Date(timeIntervalSince1970: seconds))) == encoded)
    }

    @Test func `times beyond the calendar are bounded`() {
        #expect(DERBytes.time(.distantFuture).count == 17)
        #expect(DERBytes.time(Date(timeIntervalSince1970: .infinity)).count == 17)
        #expect(DERBytes.time(Date(timeIntervalSince1970: -1e300)).count == 17)
    }

    @Test func `PEM blocks survive commentary and line ends`() throws {
        let bytes = Array(0...200) as [UInt8]
        let text =
            "Bag Attributes\r\n  name: x\r\n"
            + PEM.text("THING", bytes)
            .replacingOccurrences(of: "\n", with: "\r\n") + "\ntail\n" + PEM.text("OTHER", [1])
        let blocks = try #require(PEM.blocks(in: text))
        #expect(blocks.map(\.label) == ["THING", "OTHER"])
        #expect(blocks.map(\.bytes) == [bytes, [1]])
    }

    @Test(arguments: [
        "-----BEGIN A-----\nAQ==\n",
        "-----BEGIN A-----\nAQ==\n-----END B-----\n",
        "-----BEGIN A-----\nA*==\n-----END A-----\n",
        "-----BEGIN A-----\n-----BEGIN A-----\nAQ==\n-----END A-----\n",
    ])
    func `damaged PEM is refused`(text: String) {
        #expect(PEM.blocks(in: text) == nil)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("::1", "::1"), ("2001:db8::5:0:0:1", "2001:db8::5:0:0:1"),
        ("2001:DB8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("::", "::"),
        ("ota.example.org", "ota.example.org"), ("1.2.3", "1.2.3"),
    ])
    func `addresses are told apart from names`(text: String, shown: String) {
        let name = AlternativeName(text)
        #expect(name.description == shown)
        if case .dns = name { #expect(text.contains("example") || text == "1.2.3") }
    }
}
