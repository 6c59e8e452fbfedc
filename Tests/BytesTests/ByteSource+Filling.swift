import Bytes

extension ByteSource {
    /// What a plain read leaves in a buffer of `capacity` bytes that held 0xAA, and how many
    /// bytes it says it read.
    func filling(_ capacity: Int, at offset: Int) throws -> (buffer: [UInt8], got: Int) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
        defer { unsafe buffer.deallocate() }
        unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0xAA)
        let got = try unsafe read(at: offset, into: buffer)
        return (unsafe Array(buffer), got)
    }
}
