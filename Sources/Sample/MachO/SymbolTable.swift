import Bytes

/// A symbol table with one exported symbol and its name, the first part of `__LINKEDIT`.
struct SymbolTable {
    let bytes: [UInt8]
    let stringsOffset: Int
    let stringsSize: Int

    init(_ symbol: String, in builder: MachOBuilder) {
        let address = builder.baseAddress + MachOSlice.codeOffset
        var writer = ByteWriter()
        writer.littleEndian(2 as UInt32)
        // Defined in section 1 and external; the description is empty.
        writer.append([0x0f, 1, 0, 0])
        if builder.architecture.is64Bit {
            writer.littleEndian(UInt64(address))
        } else {
            writer.littleEndian(UInt32(address))
        }
        stringsOffset = writer.count
        // The string table begins with a space and a zero, so that index 0 has no name.
        writer.append([0x20, 0])
        writer.append(symbol.utf8)
        writer.append([0])
        writer.pad(to: 8)
        stringsSize = writer.count - stringsOffset
        bytes = writer.bytes
    }
}
