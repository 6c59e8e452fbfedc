package import Bytes

/// Reads a file in one pass, in pieces of any size.
///
/// It keeps only headers, load commands and signatures, so its memory does not depend on the size of the
/// code. It does not stop at an error; ``finish()`` throws the first one.
package struct MachOScanner: Sendable {
    private enum Goal {
        case magic
        case universalHeader
        /// The associated value is an index in ``places``.
        case header(Int)
        case commands(Int)
        case information(Int)
        case signature(Int)
        case nothing
    }

    /// The size of the whole file in bytes.
    private let fileSize: Int
    private let keepsHeaders: Bool
    private let readsContents: Bool
    /// The number of bytes received.
    package private(set) var position = 0
    private var goal = Goal.magic
    /// The range that is being collected, and its bytes so far.
    private var wanted = 0..<4
    private var gathered: [UInt8] = []
    private var failure: MalformedBytes?
    private var universal: UniversalHeader?
    /// The known slices in the order of the file.
    private var places: [Range<Int>] = []
    private var slices: [BinarySlice] = []
    /// Whether scanning stopped because the slices' signatures together exceed
    /// ``MachOLimits/signatureBytes``.
    package private(set) var hasOversizedSignatures = false

    /// - Parameters:
    ///   - fileSize: the size of the whole file in bytes.
    ///   - keepsHeaders: whether to keep the bytes of the slices' headers, as code that changes them
    ///     needs.
    ///   - readsContents: whether to read signatures and Info.plists; without them the scanner needs no
    ///     byte after the last load commands.
    package init(fileSize: Int, keepsHeaders: Bool = false, readsContents: Bool = true) {
        self.fileSize = fileSize
        self.keepsHeaders = keepsHeaders
        self.readsContents = readsContents
    }

    /// Whether no further byte can change the result of ``finish()``.
    package var needsNothingMore: Bool { failure != nil || !hasGoal }

    /// The ranges of the slices, in the order of the file.
    ///
    /// They include every slice that begins in bytes already received, so that a page hasher on the same
    /// data knows where pages begin; empty for a malformed file.
    package var sliceRanges: [Range<Int>] { failure == nil ? places : [] }

    /// The range of each slice that a signature can cover, in the order of ``sliceRanges``.
    ///
    /// It ends at the slice's signature once the load commands were received; before that, and without a
    /// signature, at the end of the slice.
    package var codeRanges: [Range<Int>] {
        guard failure == nil else { return [] }
        return places.enumerated().map { index, place in
            guard index < slices.count, let signature = slices[index].signatureRange else {
                return place
            }
            return place.lowerBound..<signature.lowerBound
        }
    }

    /// Processes the next bytes of the file.
    package mutating func take(_ window: UnsafeRawBufferPointer) {
        take(count: window.count) { range in
            unsafe [UInt8](UnsafeRawBufferPointer(rebasing: window[range]))[...]
        }
    }

    /// Processes the next bytes of the file.
    package mutating func take(_ window: ArraySlice<UInt8>) {
        take(count: window.count) { range in
            window[window.startIndex + range.lowerBound..<window.startIndex + range.upperBound]
        }
    }

    /// Returns the file, after all bytes were received.
    ///
    /// - Throws: ``MalformedBytes`` with an offset in the file.
    package consuming func finish() throws(MalformedBytes) -> MachOFile {
        if let failure { throw failure }
        guard case .nothing = goal else { throw truncated }
        let universal = universal
        let slices = slices
        let order = universal?.entries.map(\.range.lowerBound) ?? [0]
        return MachOFile(
            universal: universal,
            slices: order.compactMap { start in slices.first { $0.range.lowerBound == start } },
        )
    }

    private var truncated: MalformedBytes {
        MalformedBytes(
            field,
            at: wanted.lowerBound,
            .truncated(
                needed: wanted.count,
                available: max(0, min(fileSize, wanted.upperBound) - wanted.lowerBound),
            ),
        )
    }

    private var field: String {
        switch goal {
        case .magic: "Mach-O magic"
        case .universalHeader: "universal header"
        case .header: "Mach-O header"
        case .commands: "load commands"
        case .information: "Info.plist section"
        case .signature: "signature"
        case .nothing: "file"
        }
    }
}

extension MachOScanner {
    private mutating func take(count: Int, _ part: (Range<Int>) -> ArraySlice<UInt8>) {
        let window = position..<position + count
        position = window.upperBound
        while failure == nil, hasGoal {
            let next = wanted.lowerBound + gathered.count
            let end = min(wanted.upperBound, window.upperBound)
            if next < end {
                gathered += part(next - window.lowerBound..<end - window.lowerBound)
            }
            guard gathered.count == wanted.count else { return }
            do throws(MalformedBytes) {
                try advance()
            } catch {
                failure = error
            }
        }
    }

    private var hasGoal: Bool {
        if case .nothing = goal { false } else { true }
    }

    /// Processes the collected bytes and sets the next range, which is always further on.
    private mutating func advance() throws(MalformedBytes) {
        switch goal {
        case .magic:
            var bytes = ByteReader(gathered)
            let magic = try bytes.bigEndian(UInt32.self, field)
            guard magic == UniversalHeader.magic || magic == UniversalHeader.magic64 else {
                places = [0..<fileSize]
                return try meetSlice(0)
            }
            try want(0..<UniversalHeader.prefixSize, .universalHeader)
        case .universalHeader:
            let size = try UniversalHeader.size(reading: gathered)
            guard gathered.count == size else { return try want(0..<size, .universalHeader) }
            var bytes = ByteReader(gathered)
            let header = try UniversalHeader(reading: &bytes, fileSize: fileSize)
            universal = header
            places = header.entries.map(\.range).sorted { $0.lowerBound < $1.lowerBound }
            gathered = []
            try meetSlice(0)
        case .header(let index): try readHeader(index)
        case .commands(let index): try readCommands(index)
        case .information(let index): try readInformation(index)
        case .signature(let index): try readSignature(index)
        case .nothing: break
        }
    }

    /// Sets the next range; bytes of it that were already collected are kept.
    private mutating func want(_ range: Range<Int>, _ goal: Goal) throws(MalformedBytes) {
        wanted = range
        self.goal = goal
        guard range.upperBound <= fileSize else { throw truncated }
    }

    private mutating func meetSlice(_ index: Int) throws(MalformedBytes) {
        guard index < places.count else {
            goal = .nothing
            gathered = []
            return
        }
        let start = places[index].lowerBound
        try want(start..<start + 4, .header(index))
    }

    private mutating func readHeader(_ index: Int) throws(MalformedBytes) {
        let place = places[index]
        var bytes = ByteReader(gathered)
        let bytesOfMagic = gathered.count == 4
        let size = try reading(at: place.lowerBound) { () throws(MalformedBytes) in
            if bytesOfMagic {
                let magic = try bytes.littleEndian(UInt32.self, "Mach-O magic")
                return MachHeader.size(is64Bit: try MachHeader.is64Bit(magic: magic))
            }
            let header = try MachHeader(reading: &bytes)
            try Self.check(header, against: universal?.entries.first { $0.range == place })
            return header.size + header.commandBytes
        }
        guard size <= place.count else {
            throw MalformedBytes(
                bytesOfMagic ? "Mach-O header" : "load commands",
                at: place.lowerBound,
                .truncated(needed: size, available: place.count),
            )
        }
        let range = place.lowerBound..<place.lowerBound + size
        try want(range, bytesOfMagic ? .header(index) : .commands(index))
    }

    /// A slice must match its entry in the universal header; otherwise dyld refuses it.
    private static func check(
        _ header: MachHeader,
        against entry: UniversalHeader.Entry?,
    ) throws(MalformedBytes) {
        guard let entry, entry.processor != header.processor else { return }
        throw MalformedBytes(
            "processor type",
            at: 4,
            .invalid("is \(header.processor) in a slice for \(entry.processor)"),
        )
    }

    private mutating func readCommands(_ index: Int) throws(MalformedBytes) {
        let place = places[index]
        var bytes = ByteReader(gathered)
        let slice = try reading(at: place.lowerBound) { () throws(MalformedBytes) in
            let header = try MachHeader(reading: &bytes)
            return BinarySlice(
                range: place,
                header: header,
                commands: try LoadCommand.all(header, reading: &bytes, sliceSize: place.count),
                headerBytes: keepsHeaders ? gathered : nil,
                signatureBytes: nil,
                information: nil,
            )
        }
        slices.append(slice)
        gathered = []
        guard readsContents else { return try meetSlice(index + 1) }
        guard let information = slice.informationRange, !information.isEmpty else {
            return try meetSignature(index)
        }
        try want(information, .information(index))
    }

    private mutating func readInformation(_ index: Int) throws(MalformedBytes) {
        if let slice = slices.popLast() {
            slices.append(
                BinarySlice(
                    range: slice.range,
                    header: slice.header,
                    commands: slice.commands,
                    headerBytes: slice.headerBytes,
                    signatureBytes: nil,
                    information: gathered,
                )
            )
        }
        gathered = []
        try meetSignature(index)
    }

    private mutating func meetSignature(_ index: Int) throws(MalformedBytes) {
        guard let signature = slices.last?.signatureRange else {
            return try meetSlice(index + 1)
        }
        let kept = slices.reduce(0) { $0 + ($1.signatureBytes?.count ?? 0) }
        let room: BoundedCount
        do throws(OversizedCount) {
            room = try BoundedCount(
                signature.count,
                atMost: MachOLimits.signatureBytes - kept,
                of: "bytes of signatures",
            )
        } catch {
            hasOversizedSignatures = true
            throw MalformedBytes("signature", at: signature.lowerBound, .invalid("has \(error)"))
        }
        try want(signature, .signature(index))
        // Growing on demand would waste up to half of the memory and copy half of the bytes twice.
        gathered.reserve(room)
    }

    private mutating func readSignature(_ index: Int) throws(MalformedBytes) {
        if let slice = slices.popLast() {
            slices.append(
                BinarySlice(
                    range: slice.range,
                    header: slice.header,
                    commands: slice.commands,
                    headerBytes: slice.headerBytes,
                    signatureBytes: gathered,
                    information: slice.information,
                )
            )
        }
        gathered = []
        try meetSlice(index + 1)
    }
}
