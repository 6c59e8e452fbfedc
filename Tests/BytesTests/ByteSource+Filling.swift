import Bytes

extension ByteSource {
    /// The content of a buffer of `capacity` bytes, filled with 0xAA before a read, and the number of bytes
    /// that the read returned.
    func filling(_ capacity: Int, at offset: Int) throws -> (buffer: [UInt8], got: Int) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
        defer { unsafe buffer.deallocate() }
        unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0xAA)
        let got = try unsafe read(at: offset, into: buffer)
        return (unsafe Array(buffer), got)
    }
}
