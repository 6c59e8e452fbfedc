package import Bytes

/// A signature's requirements for its own code and for other code (Security `requirement.h`).
package struct RequirementSet: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case host, guest, designated, library, plugin
        case unknown(UInt32)

        package init(_ number: UInt32) {
            self =
                switch number {
                case 1: .host
                case 2: .guest
                case 3: .designated
                case 4: .library
                case 5: .plugin
                default: .unknown(number)
                }
        }
    }

    package struct Entry: Hashable, Sendable {
        package let kind: Kind
        package let requirement: Requirement
    }

    /// In the order of the index; usually empty for ad hoc signatures.
    package let entries: [Entry]

    /// The designated requirement, by which later versions of the same code are recognised.
    package var designated: Requirement? {
        entries.first { $0.kind == .designated }?.requirement
    }
}

extension RequirementSet {
    private static let magic: UInt32 = 0xfade_0c01
    private static let greatestSize = 1 << 20
    private static let greatestCount = 64

    /// Reads the blob of the requirements slot, including magic and length.
    package init(reading blob: ArraySlice<UInt8>) throws(MalformedBytes) {
        guard blob.count <= Self.greatestSize else {
            throw MalformedBytes("requirements", at: 0, .invalid("are too large"))
        }
        var bytes = ByteReader(blob)
        try bytes.blobHeader(Self.magic, "requirements")
        let count = try bytes.bigEndian(UInt32.self, "requirement count")
        guard count <= Self.greatestCount, Int(count) <= bytes.remaining / 8 else {
            throw MalformedBytes("requirement count", at: 8, .invalid("is \(count)"))
        }
        var entries: [Entry] = []
        var total = 0
        for _ in 0..<count {
            let start = bytes.offset
            let kind = Kind(try bytes.bigEndian(UInt32.self, "requirement type"))
            let offset = Int(try bytes.bigEndian(UInt32.self, "requirement offset"))
            guard !entries.contains(where: { $0.kind == kind }) else {
                throw MalformedBytes("requirement", at: start, .invalid("\(kind) appears twice"))
            }
            var body = ByteReader(blob)
            try body.seek(to: offset, "requirement")
            let size = try body.blobHeader(Requirement.magic, "requirement")
            // Each requirement is kept and printed separately, so shared bytes would multiply the work.
            total += size
            guard total <= blob.count else {
                throw MalformedBytes("requirement", at: offset, .invalid("shares its bytes"))
            }
            let own = blob.dropFirst(offset).prefix(size)
            entries.append(
                Entry(
                    kind: kind,
                    requirement: try reading(at: offset) {
                        () throws(MalformedBytes) in try Requirement(reading: own)
                    },
                )
            )
        }
        self.entries = entries
    }
}

extension RequirementSet: CustomStringConvertible {
    /// One line for each requirement, as `codesign -d -r-` prints them.
    package var description: String {
        entries.map { "\($0.kind) => \($0.requirement)" }.joined(separator: "\n")
    }
}

extension RequirementSet.Kind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .host: "host"
        case .guest: "guest"
        case .designated: "designated"
        case .library: "library"
        case .plugin: "plugin"
        case .unknown(let number): "/*unknown type*/ \(number)"
        }
    }
}

extension ByteReader {
    /// Reads a blob's magic and length, which must fit the bytes; the cursor is then after both.
    @discardableResult
    mutating func blobHeader(_ magic: UInt32, _ field: String) throws(MalformedBytes) -> Int {
        let start = offset
        let found = try bigEndian(UInt32.self, field)
        guard found == magic else {
            throw MalformedBytes(
                field,
                at: start,
                .unexpected(found: "0x" + String(found, radix: 16)),
            )
        }
        let length = Int(try bigEndian(UInt32.self, field))
        guard length >= 8, length - 8 <= remaining else {
            throw MalformedBytes(
                field,
                at: start + 4,
                .truncated(needed: length, available: remaining + 8),
            )
        }
        return length
    }
}
