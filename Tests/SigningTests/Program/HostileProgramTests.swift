import Bytes
import Cryptography
import MachOFormat
import PropertyLists
import Sample
import Signing
import TestSupport
import Testing

@Suite struct HostileProgramTests {
    private static func fault(_ program: some ReplayableBytes) -> ProgramFault? {
        do {
            _ = try Signed.signer().sign(program, named: "Demo", sealing: Signed.seals)
        } catch SigningRefusal.program(let fault, _) {
            return fault
        } catch {
            Issue.record("\(error)")
        }
        return nil
    }

    /// The offset of a segment's load command.
    private static func segment(_ name: String, in program: [UInt8]) -> Int {
        let wanted = Array(name.utf8) + [0]
        return (program.indices.first { program[$0...].starts(with: wanted) } ?? 8) - 8
    }

    private static func changed(
        _ name: String,
        _ offset: Int,
        _ value: UInt64,
        in program: [UInt8],
    ) -> [UInt8] {
        var program = program
        let place = segment(name, in: program) + offset
        for index in 0..<8 {
            program[place + index] = UInt8(truncatingIfNeeded: value >> (index * 8))
        }
        return program
    }

    @Test func `what cannot carry a signature is refused by name`() throws {
        let program = try ProgramSignerTests.unsigned()
        let signed = try Signed.bytes(of: program)
        let encrypted = try ProgramSignerTests.unsigned { $0.encryption = 1 }
        #expect(Self.fault(encrypted) == .encrypted(slice: "arm64"))
        #expect(Self.fault(signed + [0]) == .signatureNotLast(slice: "arm64"))
        var object = program
        object[12] = 1
        #expect(Self.fault(object) == .notLoadable(slice: "arm64"))
        var renamed = program
        renamed[Self.segment("__LINKEDIT", in: program) + 8] = UInt8(ascii: "-")
        #expect(Self.fault(renamed) == .linkEditMissing(slice: "arm64"))
        var twice = program
        let text = Self.segment("__TEXT", in: program) + 8
        twice.replaceSubrange(text..<text + 11, with: Array("__LINKEDIT\0".utf8))
        #expect(Self.fault(twice) == .linkEditMisplaced(slice: "arm64", reason: "appears twice"))
        guard case .malformed = Self.fault(Array(program.dropLast())) else {
            Issue.record("a program that is cut off is malformed")
            return
        }
        #expect(
            Self.fault(program + [0])
                == .linkEditMisplaced(slice: "arm64", reason: "does not reach the slice's end")
        )
    }

    @Test func `load commands that end before their size says are refused`() throws {
        // A command that was added after the gap would not be found.
        var program = try ProgramSignerTests.unsigned()
        program[20] += 16
        guard case .malformed = Self.fault(program) else {
            Issue.record("room between load commands was taken")
            return
        }
    }

    @Test func `a __LINKEDIT that lies over something else is refused`() throws {
        let program = try ProgramSignerTests.unsigned()
        let size = UInt64(program.count)
        let file = try MachOFile(reading: program)
        let linkEdit = try #require(file.slices[0].segments.last)
        let start = UInt64(linkEdit.fileRange.lowerBound)
        let reasons = [
            (Self.changed("__TEXT", 48, start + 1, in: program), "overlaps another segment"),
            (
                Self.changed("__LINKEDIT", 24, 0x1_0000_0000, in: program),
                "leaves no room behind it in memory",
            ),
            (
                Self.changed("__TEXT", 24, linkEdit.address + 0x2000, in: program),
                "leaves no room behind it in memory",
            ),
            (
                Self.changed(
                    "__LINKEDIT",
                    48,
                    size - 8,
                    in: Self.changed("__LINKEDIT", 40, 8, in: program),
                ),
                "begins in the load commands",
            ),
        ]
        for (bytes, reason) in reasons {
            #expect(Self.fault(bytes) == .linkEditMisplaced(slice: "arm64", reason: reason))
        }
    }

    @Test func `a signature over the symbols, or outside __LINKEDIT, is refused`() throws {
        let signed = try Signed.bytes(of: try ProgramSignerTests.unsigned())
        let slice = try #require(try MachOFile(reading: signed).slices.first)
        let range = try #require(slice.signatureRange)
        let command = slice.header.size + slice.header.commandBytes - 16
        for start in [range.lowerBound - 16, slice.segments[1].fileRange.upperBound - 64] {
            var moved = signed
            for (offset, value) in [(8, start), (12, signed.count - start)] {
                for index in 0..<4 {
                    moved[command + offset + index] = UInt8(
                        truncatingIfNeeded: value >> (index * 8)
                    )
                }
            }
            guard case .linkEditMisplaced = Self.fault(moved) else {
                Issue.record("a signature at \(start) was taken")
                continue
            }
        }
    }

    @Test func `load commands that fill the room behind them are refused`() throws {
        let rooms = stride(from: 15_200, to: 16_200, by: 8).compactMap { length -> Int? in
            let program = try? ProgramSignerTests.unsigned(extraCode: 0) {
                $0.runPaths = [String(repeating: "x", count: length)]
            }
            guard let program else { return nil }
            switch Self.fault(program) {
            case nil: return .max
            case .noRoomForCommand("arm64", needed: 16, let available): return available
            case let other:
                Issue.record("\(String(describing: other))")
                return nil
            }
        }
        #expect(rooms.contains(.max))
        #expect(rooms.suffix(2) == [8, 0])
    }

    @Test func `code of four gigabytes and more is refused before it is read`() throws {
        let head = try ProgramSignerTests.unsigned()
        let size = 5 << 30
        let linkEdit = try #require(try MachOFile(reading: head).slices[0].segments.last)
        let start = UInt64(linkEdit.fileRange.lowerBound)
        let large = Self.changed(
            "__LINKEDIT",
            32,
            UInt64(size),
            in: Self.changed("__LINKEDIT", 48, UInt64(size) - start, in: head),
        )
        #expect(Self.fault(Sparse(head: large, count: size)) == .tooLarge(limit: Int(UInt32.max)))
    }

    @Test func `names and values that a signature cannot hold are refused`() throws {
        let program = try ProgramSignerTests.unsigned()
        func refusal(_ change: (inout CodeSeals) -> Void) -> SigningRefusal? {
            var seals = Signed.seals
            change(&seals)
            return #expect(throws: SigningRefusal.self) {
                try Signed.bytes(of: program, sealing: seals)
            }
        }
        for identifier in ["", "com.example\0demo", String(repeating: "x", count: 2000)] {
            let found = refusal { $0.identifier = identifier }
            #expect(found == .program(.identifierNotUsable, at: "Demo"))
        }
        let found = refusal { $0.entitlements = .dictionary(["level": .real(1.5)]) }
        #expect(found == .program(.entitlementNotEncodable(key: "level"), at: "Demo"))
    }

    @Test func `a chain that outgrows the room for the message is refused`() throws {
        let identity = try SigningAuthority.cached().distribution
        let chain = identity.chain + Array(repeating: identity.certificate, count: 40)
        let signer = ProgramSigner(
            identity: SigningIdentity(
                certificate: identity.certificate,
                key: identity.key,
                chain: chain,
            ),
            at: Signed.date,
        )
        let refusal = #expect(throws: SigningRefusal.self) {
            try Signed.bytes(of: try ProgramSignerTests.unsigned(), by: signer)
        }
        guard case .program(.messageTooLarge(let needed, let reserved), _) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(needed > reserved)
        #expect((18_000..<18_040).contains(reserved))
    }

    @Test func `damaged programs are refused or signed well, and nothing traps`() throws {
        let slices = try [Architecture.armv7, .arm64].map {
            ($0, Array(try ProgramSignerTests.unsigned(.executable, $0, extraCode: 0)))
        }
        let program = try Signed.bytes(of: slices[1].1)
        let universal = UniversalBinary.joining(slices.map { (architecture: $0.0, bytes: $0.1) })
        let headers = [program.prefix(1500), universal.prefix(60)]
        for (bytes, head) in zip([program, universal], headers) {
            for damaged in SeededDamage.flips(of: Array(head), count: 60, seed: 7) {
                let whole = damaged + bytes.dropFirst(head.count)
                guard let signed = try? Signed.bytes(of: whole) else { continue }
                #expect(throws: Never.self) { _ = try Signed.slices(of: signed) }
            }
        }
    }

    @Test(arguments: Fixtures.items(ofKind: "macho-hostile"))
    func `hostile files that others collected are refused`(item: Fixtures.Item) throws {
        #expect(throws: SigningRefusal.self) { try Signed.bytes(of: try item.bytes()) }
    }
}

/// A few bytes followed by zeros, together larger than memory.
private struct Sparse: ReplayableBytes {
    let head: [UInt8]
    let count: Int

    func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try unsafe head.read { try unsafe body($0) }
        let window = [UInt8](repeating: 0, count: 256 << 10)
        var rest = count - head.count
        while rest > 0 {
            try unsafe window.withUnsafeBytes {
                try unsafe body(UnsafeRawBufferPointer(rebasing: $0.prefix(rest)))
            }
            rest -= window.count
        }
    }
}
