import Bytes
import MachOFormat
import Sample
import Signing
import TestSupport
import Testing

@Suite struct RequirementTests {
    /// The text of an expression with these words; a text stands for its length, bytes and padding.
    private func text(_ parts: Any...) throws -> String {
        "\(try requirement(parts))"
    }

    private func requirement(_ parts: [Any]) throws -> Requirement {
        var body = ByteWriter()
        for part in parts {
            switch part {
            case let word as Int: body.bigEndian(UInt32(truncatingIfNeeded: word))
            case let time as Int64: body.bigEndian(time)
            case let text as String: body.data(Array(text.utf8))
            case let bytes as [UInt8]: body.data(bytes)
            default: Issue.record("\(part)")
            }
        }
        return try Requirement(reading: blob(body.bytes))
    }

    private func blob(_ expression: [UInt8], form: UInt32 = 1) -> ArraySlice<UInt8> {
        var writer = ByteWriter()
        writer.bigEndian(0xfade_0c00 as UInt32)
        writer.bigEndian(UInt32(expression.count + 12))
        writer.bigEndian(form)
        writer.append(expression)
        return writer.bytes[...]
    }

    @Test func `the requirement that codesign writes reads as codesign prints it`() throws {
        let blob = DesignatedRequirement(
            identifier: "com.example.demo",
            signerName: "Apple Distribution: Example \"Ltd\" (OTASAMPLE1)",
        ).blob
        let requirements = try RequirementSet(reading: blob[...])
        #expect(
            "\(requirements)" == """
                designated => identifier "com.example.demo" and anchor apple generic and \
                certificate leaf[subject.CN] = \
                "Apple Distribution: Example \\"Ltd\\" (OTASAMPLE1)" and \
                certificate 1[field.1.2.840.113635.100.6.2.1] /* exists */
                """
        )
        #expect(requirements.designated != nil)
    }

    @Test func `every operation has its text`() throws {
        #expect(try text(0) == "never")
        #expect(try text(1) == "always")
        #expect(try text(2, "Demo") == "identifier Demo")
        #expect(try text(3) == "anchor apple")
        #expect(try text(4, -1, [0xab, 0xcd] as [UInt8]) == #"certificate root = H"abcd""#)
        #expect(try text(5, "CFBundleName", "x y") == #"info[CFBundleName] = "x y""#)
        #expect(try text(8, [1, 2] as [UInt8]) == #"cdhash H"0102""#)
        #expect(try text(10, "a.b", 2, "c") == "info[a.b] ~ c")
        #expect(
            try text(11, 0, "subject.OU", 1, "1ABC") == #"certificate leaf[subject.OU] = "1ABC""#
        )
        #expect(try text(12, 2) == "certificate 2 trusted")
        #expect(try text(13) == "anchor trusted")
        #expect(try text(15) == "anchor apple generic")
        #expect(try text(16, "com.apple.x", 0) == "entitlement[com.apple.x] /* exists */")
        #expect(
            try text(17, 0, [0x2a, 3] as [UInt8], 14) == "certificate leaf[policy.1.2.3] absent"
        )
        #expect(try text(18, "generic") == #"anchor apple "generic""#)
        #expect(try text(19, "sub") == "(sub)")
        #expect(try text(20, -2) == "platform = -2")
        #expect(try text(21) == "notarized")
        #expect(try text(23) == "legacy")
        #expect(
            try text(22, 0, [0x2a, 3] as [UInt8], 10, Int64(0))
                == "certificate leaf[timestamp.1.2.3] < <2001-01-01 00:00:00 +0000>"
        )
    }

    @Test func `matches have the signs of the language`() throws {
        let signs = [
            1: " = v", 2: " ~ v", 3: " = v*", 4: " = *v", 5: " < v", 6: " > v", 7: " <= v",
            8: " >= v",
        ]
        for (number, sign) in signs {
            #expect(try text(10, "k", number, "v") == "info[k]" + sign)
        }
        for (number, sign) in [9: "=", 10: "<", 11: ">", 12: "<=", 13: ">="] {
            #expect(
                try text(10, "k", number, Int64(86_400))
                    == "info[k] \(sign) <2001-01-02 00:00:00 +0000>"
            )
        }
        #expect(try text(10, "k", 9, Int64.max) == "info[k] = <\(Int64.max)>")
        #expect(try text(10, "k", 9, Int64.min) == "info[k] = <\(Int64.min)>")
    }

    @Test func `parentheses stand where they are needed and nowhere else`() throws {
        #expect(try text(6, 6, 0, 1, 3) == "never and always and anchor apple")
        #expect(try text(6, 7, 0, 1, 3) == "(never or always) and anchor apple")
        #expect(try text(7, 6, 0, 1, 3) == "never and always or anchor apple")
        #expect(try text(9, 6, 0, 1) == "! (never and always)")
        #expect(try text(9, 9, 7, 0, 1) == "! ! (never or always)")
    }

    @Test func `values are bare, quoted or in digits`() throws {
        #expect(try text(2, "") == #"identifier """#)
        #expect(try text(2, "apple") == #"identifier "apple""#)
        #expect(try text(2, "a\\b\"c") == #"identifier "a\\b\"c""#)
        #expect(try text(2, [0x61, 0xff] as [UInt8]) == "identifier 0x61ff")
        #expect(try text(14, 0, [] as [UInt8], 0) == "certificate leaf[field.0x] /* exists */")
        #expect(try text(14, 0, [0x80] as [UInt8], 0).contains("field.0x80"))
        let long = [UInt8](repeating: 0xff, count: 12) + [1]
        #expect(try text(14, 0, long, 0).contains("field.0xff"))
    }

    @Test func `unknown operations survive and hide no more than they must`() throws {
        #expect(
            try text(6, 0x8000_0063, "skipped", 3) == "false /* opcode 99 */ and anchor apple"
        )
        #expect(try text(0x4000_0063, "skipped", 3) == "/* opcode 99 */ anchor apple")
        #expect(try text(99).contains("99 NOT UNDERSTOOD"))
        #expect(try text(6, 99, 3).contains(" and OPCODE 0 NOT UNDERSTOOD"))
        #expect(try text(10, "k", 99) == "info[k] MATCH OPCODE 99 NOT UNDERSTOOD")
        #expect(try Requirement(reading: blob([1, 2], form: 2)).form == .unknown(2))
    }

    @Test func `depth and size are bounded`() {
        var deep = ByteWriter()
        for _ in 0..<100_000 { deep.bigEndian(9 as UInt32) }
        #expect(throws: MalformedBytes.self) { try Requirement(reading: blob(deep.bytes)) }
    }

    @Test func `requirements that share bytes are refused`() throws {
        let own = Array(blob(Array(repeating: 0, count: 100)))
        func set(of kinds: UInt32) throws -> RequirementSet {
            var writer = ByteWriter()
            let size = 12 + 8 * Int(kinds) + own.count
            for word in [0xfade_0c01, UInt32(size), kinds] { writer.bigEndian(word) }
            for kind in 1...kinds {
                for word in [kind, UInt32(size - own.count)] { writer.bigEndian(word) }
            }
            writer.append(own)
            return try RequirementSet(reading: writer.bytes[...])
        }
        #expect(try set(of: 1).entries.count == 1)
        #expect(throws: MalformedBytes.self) { try set(of: 60) }
    }

    @Test func `an expression ends where its requirement does`() {
        var writer = ByteWriter()
        for word: UInt32 in [0xfade_0c00, 16, 1, 9, 1] { writer.bigEndian(word) }
        #expect(throws: MalformedBytes.self) { try Requirement(reading: writer.bytes[...]) }
    }

    @Test func `every prefix is refused and flips never trap`() throws {
        let bytes = DesignatedRequirement(identifier: "com.example", signerName: "A").blob
        for prefix in SeededDamage.prefixes(of: bytes) {
            #expect(throws: MalformedBytes.self) { try RequirementSet(reading: prefix[...]) }
        }
        for damaged in SeededDamage.flips(of: bytes, count: 3000, seed: 5) {
            _ = (try? RequirementSet(reading: damaged[...]))?.description
        }
    }

    @Test func `an empty set is one, two requirements of a kind are none`() throws {
        var writer = ByteWriter()
        for word in [0xfade_0c01, 12, 0] as [UInt32] { writer.bigEndian(word) }
        #expect(try RequirementSet(reading: writer.bytes[...]).entries == [])
        writer = ByteWriter()
        for word in [
            0xfade_0c01, 44, 2, 3, 28, 3, 28, 0xfade_0c00, 16, 1, 0,
        ] as [UInt32] { writer.bigEndian(word) }
        #expect(throws: MalformedBytes.self) { try RequirementSet(reading: writer.bytes[...]) }
        writer.overwrite(at: 23, with: [9])
        #expect(
            "\(try RequirementSet(reading: writer.bytes[...]))"
                == "designated => never\n/*unknown type*/ 9 => never"
        )
    }
}

extension ByteWriter {
    fileprivate mutating func data(_ bytes: [UInt8]) {
        bigEndian(UInt32(bytes.count))
        append(bytes)
        pad(to: 4)
    }
}
