import Bytes
import MachOFormat

/// The bytes of a slice's header and load commands, with the changes that signing makes.
struct SliceHeader {
    /// The first bytes of the slice; they grow by ``signatureCommandSize`` where LC_CODE_SIGNATURE is
    /// missing.
    private(set) var bytes: [UInt8]
    private let is64Bit: Bool
    private var signatureCommand: Int?
    private let linkEditCommand: Int
    /// The end of the last command; a new one must follow directly.
    let commandsEnd: Int

    /// The size of LC_CODE_SIGNATURE in bytes.
    static let signatureCommandSize = 16

    /// - Returns: nil for a slice without `__LINKEDIT`, or one whose header bytes were not kept.
    init?(_ slice: BinarySlice) {
        guard let bytes = slice.headerBytes else { return nil }
        var place = slice.header.size
        var linkEdit: Int?
        for command in slice.commands {
            switch command {
            case .codeSignature: signatureCommand = place
            case .segment(let segment) where segment.name == "__LINKEDIT": linkEdit = place
            default: break
            }
            place += Int(bytes.littleEndian(UInt32.self, at: place + 4))
        }
        guard let linkEdit else { return nil }
        self.bytes = bytes
        is64Bit = slice.header.is64Bit
        linkEditCommand = linkEdit
        commandsEnd = place
    }

    /// Whether LC_CODE_SIGNATURE has to be added.
    var lacksSignature: Bool { signatureCommand == nil }

    /// Sets the offset and size in LC_CODE_SIGNATURE; the caller has checked that both fit.
    mutating func place(signatureAt offset: Int, size: Int) {
        let command = signatureCommand ?? addSignatureCommand()
        put(UInt32(offset), at: command + 8)
        put(UInt32(size), at: command + 12)
    }

    /// Sets the size of `__LINKEDIT`; the caller has checked that both numbers fit.
    mutating func resizeLinkEdit(fileSize: Int, memorySize: UInt64) {
        if is64Bit {
            put(memorySize, at: linkEditCommand + 32)
            put(UInt64(fileSize), at: linkEditCommand + 48)
        } else {
            put(UInt32(memorySize), at: linkEditCommand + 28)
            put(UInt32(fileSize), at: linkEditCommand + 36)
        }
    }

    private mutating func addSignatureCommand() -> Int {
        let command = bytes.count
        bytes += Array(repeating: 0, count: 16)
        put(0x1d as UInt32, at: command)
        put(UInt32(Self.signatureCommandSize), at: command + 4)
        // The number of commands and their total size.
        put(bytes.littleEndian(UInt32.self, at: 16) + 1, at: 16)
        put(bytes.littleEndian(UInt32.self, at: 20) + UInt32(Self.signatureCommandSize), at: 20)
        signatureCommand = command
        return command
    }

    private mutating func put(_ value: some FixedWidthInteger, at place: Int) {
        for index in 0..<(value.bitWidth / 8) {
            bytes[place + index] = UInt8(truncatingIfNeeded: value >> (index * 8))
        }
    }
}

extension [UInt8] {
    /// Reads a number at an offset that was checked.
    func littleEndian<Value: FixedWidthInteger>(_ type: Value.Type, at place: Int) -> Value {
        self[place..<place + MemoryLayout<Value>.size].reversed()
            .reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }
}
